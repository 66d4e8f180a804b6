import { useNavigation, useSubmit } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";
import { Form } from "./link.tsx";
import { useRestoredField } from "./use-restored-field.ts";

/**
 * The filters of a list, stored in the URL. With scripting, a selection applies at once. Another query makes another
 * form, so that the fields show what the list has, but not while yet another one is loading, which may have what was
 * selected last.
 */
export function FilterForm({
  query,
  label,
  className = "toolbar",
  incompleteOption,
  action,
  children,
}: {
  /** What the fields show: the list's query string without its page. */
  query: string;
  label?: string;
  className?: string;
  /** An option of a select that applies with the button only, because other fields complete it. */
  incompleteOption?: string;
  /** The page's own URL if there is none. */
  action?: string;
  children: ReactNode;
}) {
  const submit = useSubmit();
  const field = useRestoredField();
  const [shownQuery, setShownQuery] = useState(query);
  const { state } = useNavigation();
  if (state === "idle" && query !== shownQuery) setShownQuery(query);
  return (
    <Form
      key={shownQuery}
      ref={field.attach}
      method="get"
      action={action}
      className={className}
      role="search"
      aria-label={label}
      preventScrollReset
      onSubmit={field.onSubmit}
      onChange={({ target, currentTarget }) => {
        field.onEnter(target);
        if (!(target instanceof HTMLSelectElement) || target.value === incompleteOption) return;
        field.onSubmit();
        submit(currentTarget, { preventScrollReset: true });
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
