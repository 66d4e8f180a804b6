import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { appliedSearchFields, type SearchFieldName } from "./steps.ts";

/**
 * Filters a step's list. The field is part of the step's form: searching saves the selection, and selected items stay
 * listed.
 */
export function SearchField({
  name = "find",
  label,
  find,
  hint,
}: {
  name?: SearchFieldName;
  label: string;
  find?: string;
  /** Says that the list is truncated. */
  hint?: string;
}) {
  return (
    <div className="search-field">
      <input type="hidden" name={appliedSearchFields[name]} value={find ?? ""} />
      <span className="input-affix">
        <span aria-hidden>
          <Icon name="search" className="icon" />
        </span>
        <input
          type="search"
          name={name}
          id={appliedSearchFields[name]}
          className="input"
          aria-label={label}
          placeholder={label}
          maxLength={200}
          autoComplete="off"
          defaultValue={find}
          key={find}
        />
      </span>
      <Button name="intent" value={name}>
        Search
      </Button>
      {hint ? <span className="hint">{hint}</span> : null}
    </div>
  );
}
