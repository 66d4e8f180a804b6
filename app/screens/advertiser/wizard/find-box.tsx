import { Search } from "lucide-react";
import { Button } from "#app/ui/button.tsx";
import { foundNames, type SearchField } from "./steps.ts";

/** Narrows a step's list. It is a part of the step's form: searching saves what is ticked, and ticked ones stay in the list. */
export function FindBox({
  name = "find",
  label,
  find,
  hint,
}: {
  name?: SearchField;
  label: string;
  find?: string;
  /** Says that not all are listed. */
  hint?: string;
}) {
  return (
    <div className="find-box">
      <input type="hidden" name={foundNames[name]} value={find ?? ""} />
      <span className="input-affix">
        <span aria-hidden>
          <Search className="icon" />
        </span>
        <input
          type="search"
          name={name}
          id={foundNames[name]}
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
