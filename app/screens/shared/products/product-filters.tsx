import { Link } from "@remix-run/react";
import { type ProductSort, productStatuses, productStatusLabels } from "#app/domain/catalog/product.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchBox } from "#app/ui/filter-form.tsx";
import { formatCount } from "#app/ui/format.ts";
import { type ProductSearch, productQuery } from "./product-search.ts";

const sortLabels: Record<ProductSort, string> = {
  name: "By name",
  newest: "Newest first",
  price_low: "Lowest price first",
  price_high: "Highest price first",
  stock_low: "Lowest inventory first",
};
const quickCategories = 8;

type Categories = readonly { category: string; products: number }[];

/** Search, category, status and order, kept in the address. A choice applies at once where there is scripting. */
export function ProductFilters({ search, categories }: { search: ProductSearch; categories: Categories }) {
  const isListed = !search.category || categories.some(({ category }) => category === search.category);
  return (
    <FilterForm>
      <SearchBox label="Search by name or SKU" value={search.q} />
      <select name="category" className="input toolbar-narrow" aria-label="Category" defaultValue={search.category}>
        <option value="">All categories</option>
        {isListed ? null : <option value={search.category}>{search.category}</option>}
        {categories.map(({ category, products }) => (
          <option key={category} value={category}>
            {category} ({formatCount(products)})
          </option>
        ))}
      </select>
      <select name="status" className="input" aria-label="Status" defaultValue={search.status}>
        <option value="all">All statuses</option>
        {productStatuses.map((status) => (
          <option key={status} value={status}>
            {productStatusLabels[status]}
          </option>
        ))}
      </select>
      <select name="sort" className="input" aria-label="Order" defaultValue={search.sort}>
        {Object.entries(sortLabels).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      <Button>Search</Button>
    </FilterForm>
  );
}

/** The largest categories with how many products each has, as links. */
export function CategoryLinks({
  search,
  categories,
  all,
}: {
  search: ProductSearch;
  categories: Categories;
  all: number;
}) {
  const largest = [...categories].sort((one, other) => other.products - one.products).slice(0, quickCategories);
  const links = [{ category: undefined, products: all }, ...largest];
  return (
    <nav aria-label="Categories" className="pills">
      {links.map(({ category, products }) => (
        <Link
          key={category ?? ""}
          to={productQuery(search, { category }) || "?"}
          prefetch="intent"
          preventScrollReset
          aria-current={category === search.category ? "page" : undefined}
        >
          <span className="pill-name">{category ?? "All"}</span>{" "}
          <span className="pill-count">{formatCount(products)}</span>
        </Link>
      ))}
    </nav>
  );
}
