import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ProductSearch } from "#app/screens/shared/products/product-search.ts";
import { Button } from "#app/ui/button.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";

/** The form that the table's checkboxes belong to. */
export const selectionForm = { form: "selection", name: "product" } as const;

/**
 * The table, which gets the bulk actions as its bar: for the selected products or for all that match the filter. The
 * bar sticks to the lower edge of the window while something is selected.
 */
export function SelectableProducts({
  to,
  search,
  shown,
  matching,
  children,
}: {
  to: string;
  search: ProductSearch;
  /** The number of products on the page. */
  shown: number;
  matching: number;
  children: (bar: ReactNode) => ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [ticked, setTicked] = useState(0);
  const [isAll, setIsAll] = useState(false);
  const boxes = () => [
    ...(place.current?.querySelectorAll<HTMLInputElement>(`input[name=${selectionForm.name}]`) ?? []),
  ];
  const count = () => setTicked(boxes().filter((box) => box.checked).length);
  // Other rows have other checkboxes, and some of the first page may have been ticked before hydration.
  useEffect(count);
  const chosen = isAll ? matching : ticked;
  const amount = chosen > 0 ? ` of ${formatCount(chosen)}` : "";
  const bar = (
    <Form
      method="get"
      action={to}
      id={selectionForm.form}
      className="bulk-bar bulk-bar-lasting"
      aria-label="Selected products"
    >
      <span className="bulk-count" />
      {search.q ? <input type="hidden" name="q" value={search.q} /> : null}
      {search.category ? <input type="hidden" name="category" value={search.category} /> : null}
      {search.status === "all" ? null : <input type="hidden" name="status" value={search.status} />}
      <select
        name="of"
        className="input"
        aria-label="Apply to"
        onChange={(event) => setIsAll(event.currentTarget.value === "all")}
      >
        <option value="ticked">{ticked > 0 ? `${pluralize(ticked, "selected product")}` : "Selected products"}</option>
        <option value="all">{`All ${formatCount(matching)} products in this list`}</option>
      </select>
      <Button name="intent" value="category" icon="folder-input">
        Change category{amount}
      </Button>
      <Button name="intent" value="delete" icon="trash">
        Delete{chosen > 0 ? ` ${formatCount(chosen)}` : ""}
      </Button>
    </Form>
  );
  return (
    <div ref={place} onChange={count}>
      <div className="selection-bar">
        <label className="check js-only">
          <input
            type="checkbox"
            checked={ticked === shown}
            onChange={(event) => {
              for (const box of boxes()) box.checked = event.currentTarget.checked;
              count();
            }}
          />
          <span aria-live="polite">{ticked > 0 ? `${formatCount(ticked)} selected` : "Select this page"}</span>
        </label>
        <span className="count">{pluralize(matching, "product")}</span>
      </div>
      {children(bar)}
    </div>
  );
}
