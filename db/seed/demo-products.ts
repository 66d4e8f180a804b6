import { demoProductImageUrl } from "#app/domain/catalog/demo-product-image.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { products } from "#db/schema/index.ts";
import { type DemoTenant, demoAccountId } from "./demo-accounts.ts";
import { demoId } from "./demo-id.ts";

/** SKU, name, category, price in dollars, inventory (null: unknown), description. */
type Line = readonly [string, string, string, number, number | null, string];

const catalogs: readonly { tenant: DemoTenant; lines: readonly Line[] }[] = [
  {
    tenant: "northwind",
    lines: [
      ["NW-PK-040", "Ridgeline 40 Pack", "Packs", 189, 312, "Frameless 40-liter pack for two nights out."],
      ["NW-PK-022", "Ridgeline 22 Daypack", "Packs", 109, 540, "Daypack with a roll top and hip pockets."],
      ["NW-PK-065", "Longhaul 65 Pack", "Packs", 279, 86, "Load hauler with an aluminum frame."],
      ["NW-BT-101", "Cairn Mid Boot", "Footwear", 215, 148, "Waterproof leather boot for rough paths."],
      ["NW-BT-204", "Scree Trail Runner", "Footwear", 149, 402, "Grippy trail shoe, 6 mm drop."],
      ["NW-BT-310", "Camp Moc", "Footwear", 79, 7, "Insulated slip-on for evenings in camp."],
      ["NW-TN-002", "Summit 2 Tent", "Tents", 449, 64, "Two-person tent, 1.6 kg."],
      ["NW-TN-003", "Basecamp 4 Tent", "Tents", 629, 22, "Family tent with a standing porch."],
      ["NW-JK-010", "Drift Down Jacket", "Apparel", 259, 230, "Responsible down, 800 fill."],
      ["NW-JK-014", "Squall Rain Shell", "Apparel", 199, 318, "Three-layer shell with pit zips."],
      ["NW-JK-021", "Merino Base Layer", "Apparel", 89, 611, "Midweight merino for cold mornings."],
      ["NW-CK-001", "Ember Stove Kit", "Camp kitchen", 129, 175, "Stove, pot and two mugs in one bag."],
      ["NW-CK-005", "Enamel Camp Set", "Camp kitchen", 64, 9, "Plates, bowls and mugs for four."],
      ["NW-NV-001", "Trail Map Yearly Pass", "Maps", 29, null, "Offline maps for every trail in our guide."],
    ],
  },
  {
    tenant: "brightside",
    lines: [
      ["BS-SO-ETH", "Ethiopia Guji, 340 g", "Whole bean", 19.5, 820, "Peach, jasmine and black tea."],
      ["BS-SO-COL", "Colombia Huila, 340 g", "Whole bean", 18, 940, "Caramel, red apple and cocoa."],
      ["BS-ES-001", "Daybreak Espresso, 1 kg", "Whole bean", 42, 415, "Chocolate and hazelnut, made for milk."],
      ["BS-DC-001", "Night Shift Decaf, 340 g", "Whole bean", 18.5, 260, "Sugar-cane decaf with a clean finish."],
      ["BS-SB-001", "Single Origin Subscription", "Subscriptions", 36, null, "Two bags a month, a new farm each time."],
      ["BS-SB-002", "Espresso Club", "Subscriptions", 42, null, "A kilo of espresso every month."],
      ["BS-CB-006", "Cold Brew Cans, 6-pack", "Ready to drink", 21, 1_240, "Nitro cold brew, no sugar."],
      ["BS-GR-001", "Burr Hand Grinder", "Equipment", 94, 58, "Steel burrs, forty steps."],
      ["BS-KT-001", "Barista Starter Kit", "Equipment", 139, 41, "Dripper, kettle, scale and 100 filters."],
      ["BS-GF-001", "Roaster's Reserve Gift Set", "Gifts", 68, 5, "Three small lots in a cedar box."],
    ],
  },
  {
    tenant: "harbor",
    lines: [
      ["HG-1004", "Teak Folding Chair", "Patio", 129, 74, "Oiled teak, folds flat."],
      ["HG-1011", "Lighthouse Lantern", "Patio", 59, 212, "Rechargeable lantern, 20 hours."],
      ["HG-1108", "Canvas Field Tote", "Bags", 48, 365, "Waxed canvas with leather handles."],
      ["HG-1203", "Wool Pier Blanket", "Home", 118, 96, "Woven from recycled wool."],
      ["HG-1207", "Stoneware Mug, set of 4", "Home", 52, 188, "Hand-glazed in two blues."],
      ["HG-1301", "Garden Tool Roll", "Garden", 84, 8, "Five forged tools in a canvas roll."],
      ["HG-1309", "Raised Bed Kit", "Garden", 149, 37, "Cedar boards, no screws."],
      ["HG-1402", "Pocket Hand Axe", "Outdoor", 96, 61, "Swedish steel, ash handle."],
      ["HG-1415", "Cork Picnic Mat", "Outdoor", 72, 140, "Wipes clean, rolls small."],
    ],
  },
  {
    tenant: "fern",
    lines: [
      ["FF-20881", "Cast Iron Skillet, 10 in", "Kitchen", 45, 260, "Pre-seasoned and flat-bottomed."],
      ["FF-20917", "Olive Wood Board", "Kitchen", 58, 83, "One piece, each its own grain."],
      ["FF-21040", "Pour-over Kettle", "Kitchen", 79, 6, "Gooseneck kettle with a thermometer."],
      ["FF-30015", "Harvest Box, weekly", "Boxes", 39, null, "Eight kinds of vegetables from near you."],
      ["FF-30022", "Breakfast Box, weekly", "Boxes", 32, null, "Eggs, bread, butter, fruit."],
      ["FF-41007", "Wildflower Honey, 450 g", "Pantry", 14.5, 510, "Raw honey from three meadows."],
      ["FF-41033", "Sea Salt Trio", "Pantry", 18, 304, "Plain, smoked and lemon."],
    ],
  },
];

const lines = catalogs.flatMap(({ tenant, lines }) => lines.map((line) => ({ tenant, line })));

/** Returns the id of the product with the SKU. Throws when the demo has none. */
export function demoProductId(sku: string): ProductId {
  const index = lines.findIndex(({ line }) => line[0] === sku);
  if (index === -1) throw new Error(`no demo product ${sku}`);
  return demoId<ProductId>("product", index + 1);
}

/** Inserts the products of all demo accounts, created 160 days before `now`. */
export async function insertDemoProducts(db: Database, now: Date): Promise<void> {
  await db.insert(products).values(
    lines.map(({ tenant, line: [sku, name, category, dollars, inventory, description] }) => ({
      id: demoProductId(sku),
      accountId: demoAccountId(tenant),
      name,
      sku,
      category,
      priceCents: Math.round(dollars * 100),
      inventory,
      description,
      imageUrl: demoProductImageUrl(sku),
      createdAt: new Date(now.getTime() - 160 * 86_400_000),
    })),
  );
}
