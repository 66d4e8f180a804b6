import { Search } from "lucide-react";
import { Button } from "#app/ui/button.tsx";

/** Narrows a step's list. It is a part of the step's form: searching saves what is ticked, and ticked ones stay in the list. */
export function FindBox({ label, find, more }: { label: string; find?: string; more: boolean }) {
  return (
    <div className="find-box">
      <input type="hidden" name="found" value={find ?? ""} />
      <span className="input-affix">
        <span aria-hidden>
          <Search className="icon" />
        </span>
        <input
          type="search"
          name="find"
          id="found"
          className="input"
          aria-label={label}
          placeholder={label}
          maxLength={200}
          autoComplete="off"
          defaultValue={find}
          key={find}
        />
      </span>
      <Button name="intent" value="find">
        Search
      </Button>
      {more ? <span className="hint">Only the first 500 are listed. Search for the others.</span> : null}
    </div>
  );
}
