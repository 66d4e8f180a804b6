import type { AccountType } from "#app/domain/accounts/account.ts";
import { type Dimension, dimensionsOf } from "#app/domain/analytics/analytics.ts";
import { groupingLabels } from "#app/domain/analytics/performance-columns.ts";
import { Link } from "#app/ui/link.tsx";
import { ListMenu } from "#app/ui/table/list-menu.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/** Links to the table with a second dimension within each of its rows. */
export function SplitMenu({
  side,
  search,
  group,
  split,
}: {
  side: AccountType;
  search: AnalyticsSearch;
  group: Dimension;
  split: Dimension | undefined;
}) {
  const others = dimensionsOf[side].filter((one) => one !== group);
  const links = [undefined, ...others].map((one) => ({
    to: analyticsQuery(search, { group, split: one }),
    label: one ? groupingLabels[one] : "Don't split",
    isOpen: one === split,
  }));
  return (
    <ListMenu label={split ? `By ${groupingLabels[split].toLowerCase()}` : "Split by"} icon="split" closesOnChoice>
      <nav aria-label="Split by">
        <ul className="views-list">
          {links.map(({ to, label, isOpen }) => (
            <li key={label}>
              <Link to={to} aria-current={isOpen ? "page" : undefined} preventScrollReset>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </ListMenu>
  );
}
