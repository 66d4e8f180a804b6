import { Form } from "@remix-run/react";
import { FolderInput, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import type { ProductSearch } from "./product-search.ts";

/** The form that the ticks of the table belong to. */
export const selection = { form: "selection", name: "product" } as const;

/** The table, and above it what can be done with the ticked products, or with all that the filter finds. */
export function Selection({
  to,
  search,
  matching,
  children,
}: {
  to: string;
  search: ProductSearch;
  matching: number;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [ticked, setTicked] = useState({ count: 0, all: false });
  const boxes = () => [...(place.current?.querySelectorAll<HTMLInputElement>(`input[name=${selection.name}]`) ?? [])];
  const count = () => {
    const states = boxes().map((box) => box.checked);
    setTicked({ count: states.filter(Boolean).length, all: states.every(Boolean) });
  };
  return (
    <div ref={place} onChange={count}>
      <Form method="get" action={to} id={selection.form} className="selection-bar">
        {search.q ? <input type="hidden" name="q" value={search.q} /> : null}
        {search.category ? <input type="hidden" name="category" value={search.category} /> : null}
        {search.status === "all" ? null : <input type="hidden" name="status" value={search.status} />}
        <label className="check scripted">
          <input
            type="checkbox"
            checked={ticked.all}
            onChange={(event) => {
              for (const box of boxes()) box.checked = event.currentTarget.checked;
              count();
            }}
          />
          <span>Tick this page</span>
        </label>
        <select name="of" className="input" aria-label="Which products">
          <option value="ticked">
            {ticked.count > 0 ? `${formatNumberOf(ticked.count, "ticked product")}` : "Ticked products"}
          </option>
          <option value="all">{`All ${formatCount(matching)} in this list`}</option>
        </select>
        <Button name="intent" value="category" icon={FolderInput}>
          Change category
        </Button>
        <Button name="intent" value="delete" icon={Trash2}>
          Delete
        </Button>
        <span className="count">{formatNumberOf(matching, "product")}</span>
      </Form>
      {children}
    </div>
  );
}
