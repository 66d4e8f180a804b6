import { useSubmit } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Form } from "#app/ui/link.tsx";
import { ListStateFields } from "#app/ui/table/list-state.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/**
 * A GET form that edits some parameters of the URL and passes on the others. With scripting, a selection applies at
 * once, except the custom range, which needs its dates first.
 */
export function AnalyticsForm({
  search,
  fields,
  label,
  className,
  children,
}: {
  search: AnalyticsSearch;
  /** The parameters that the form edits. */
  fields: readonly (keyof AnalyticsSearch)[];
  label: string;
  className: string;
  children: ReactNode;
}) {
  const submit = useSubmit();
  // A new query makes new fields, so that they show what the URL says; the one that was changed gets the focus back.
  const query = analyticsQuery(search);
  const form = useRef<HTMLFormElement>(null);
  const changed = useRef<{ name: string; query: string }>(undefined);
  useEffect(() => {
    if (!changed.current || changed.current.query === query) return;
    const field = form.current?.elements.namedItem(changed.current.name);
    changed.current = undefined;
    if (field instanceof HTMLElement && document.activeElement === document.body) field.focus({ preventScroll: true });
  }, [query]);
  const { columns, saved, page: _, ...others } = search;
  return (
    <Form
      key={query}
      ref={form}
      method="get"
      className={className}
      role="search"
      aria-label={label}
      preventScrollReset
      onChange={({ target, currentTarget }) => {
        if (!(target instanceof HTMLSelectElement) || target.value === "custom") return;
        changed.current = { name: target.name, query };
        submit(currentTarget, { preventScrollReset: true });
      }}
    >
      <ListStateFields state={{ columns, saved }} />
      {Object.entries(others).map(([name, value]) =>
        value && !fields.some((field) => field === name) ? (
          <input key={name} type="hidden" name={name} value={value} />
        ) : null,
      )}
      {children}
    </Form>
  );
}
