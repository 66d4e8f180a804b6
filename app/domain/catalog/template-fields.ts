import { productLimits } from "./product.ts";

type TemplateField = {
  name: string;
  label: string;
  required: boolean;
  hint: string;
  examples: readonly [string, string];
};

const upTo = (count: number) => `up to ${count.toLocaleString("en-US")} characters`;

/** The columns of our own template, in order, with their hints and made-up examples. */
export const templateFields: readonly TemplateField[] = [
  {
    name: "name",
    label: "Product name",
    required: true,
    hint: upTo(productLimits.name),
    examples: ["Trail Mug 350 ml", "Trail Mug 500 ml"],
  },
  {
    name: "sku",
    label: "SKU",
    required: true,
    hint: "your unique product code; a product with the same SKU is updated",
    examples: ["MUG-350", "MUG-500"],
  },
  {
    name: "category",
    label: "Category",
    required: true,
    hint: "a name or a path, such as Kitchen > Mugs",
    examples: ["Kitchen > Mugs", "Kitchen > Mugs"],
  },
  {
    name: "price",
    label: "Price",
    required: true,
    hint: "US dollars, such as 19.99 or 1,234.50; at most 10,000,000",
    examples: ["19.90", "24.90"],
  },
  {
    name: "description",
    label: "Description",
    required: false,
    hint: `plain text or HTML, ${upTo(productLimits.description)}`,
    examples: ["Enameled steel with a rolled rim.", ""],
  },
  {
    name: "inventory",
    label: "Inventory count",
    required: false,
    hint: "a whole number; leave empty if unknown",
    examples: ["120", ""],
  },
  {
    name: "image_url",
    label: "Image URL",
    required: false,
    hint: "an image URL that begins with https://",
    examples: ["https://shop.example.com/mug-350.jpg", ""],
  },
  {
    name: "brand",
    label: "Brand",
    required: false,
    hint: upTo(productLimits.brand),
    examples: ["Northern", "Northern"],
  },
  {
    name: "group",
    label: "Group",
    required: false,
    hint: "the same value for all variants of a product",
    examples: ["trail-mug", "trail-mug"],
  },
  {
    name: "status",
    label: "Status",
    required: false,
    hint: "active, draft or archived; only active products can be added to campaigns",
    examples: ["active", "active"],
  },
];
