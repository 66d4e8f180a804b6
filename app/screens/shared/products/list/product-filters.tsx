import { type ProductSort, productStatuses, productStatusLabels } from "#app/domain/catalog/product.ts";
import { type ProductSearch, productQuery } from "#app/screens/shared/products/product-search.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm, SearchInput } from "#app/ui/filter-form.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";

export const productSortLabels: Record<ProductSort, string> = {
  name: "Name",
  newest: "Newest first",
  price_low: "Lowest price first",
  price_high: "Highest price first",
  stock_low: "Lowest inventory first",
};
const quickCategories = 8;

type Categories = readonly { category: string; products: number }[];

/** Search, category, status and sort order, stored in the URL. With scripting, a selection applies at once. */
export function ProductFilters({ search, categories }: { search: ProductSearch; categories: Categories }) {
  const isListed = !search.category || categories.some(({ category }) => category === search.category);
  return (
    <FilterForm query={productQuery(search)}>
      <ListStateFields state={search} />
      <SearchInput label="Search by name or SKU" value={search.q} />
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
      <select name="sort" className="input" aria-label="Sort by" defaultValue={search.sort}>
        {Object.entries(productSortLabels).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      <Button>Search</Button>
    </FilterForm>
  );
}

/** Links to the largest categories, with the number of products in each. */
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
    <nav aria-label="Categories" className="category-links">
      {links.map(({ category, products }) => (
        <Link
          key={category ?? ""}
          to={productQuery(search, { category }) || "?"}
          prefetch="intent"
          preventScrollReset
          aria-current={category === search.category ? "page" : undefined}
        >
          <span className="category-links-name">{category ?? "All"}</span>{" "}
          <span className="category-links-count">{formatCount(products)}</span>
        </Link>
      ))}
    </nav>
  );
}
