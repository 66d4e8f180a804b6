import { useSubmit } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Form } from "./link.tsx";

/** The filters of a list, stored in the URL. With scripting, a selection applies at once. */
export function FilterForm({
  label,
  action,
  children,
}: {
  label?: string;
  /** The page's own URL if there is none. */
  action?: string;
  children: ReactNode;
}) {
  const submit = useSubmit();
  return (
    <Form
      method="get"
      action={action}
      className="toolbar"
      role="search"
      aria-label={label}
      preventScrollReset
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) submit(event.currentTarget, { preventScrollReset: true });
      }}
    >
      {children}
    </Form>
  );
}

/** The field `q`: the list's search. */
export function SearchInput({ label, value }: { label: string; value: string | undefined }) {
  return (
    <span className="input-affix">
      <span aria-hidden>
        <Icon name="search" className="icon" />
      </span>
      <input
        type="search"
        name="q"
        className="input"
        placeholder={label}
        aria-label={label}
        maxLength={200}
        defaultValue={value}
      />
    </span>
  );
}
