import { Form, useSubmit } from "@remix-run/react";
import { Search } from "lucide-react";
import { creativeTypeLabels, creativeTypes } from "#app/domain/creatives/creative.ts";
import { Button } from "#app/ui/button.tsx";
import type { CreativeSearch } from "./creative-search.ts";

/** Search and kind of file, kept in the address. A choice applies at once where there is scripting. */
export function CreativeFilters({ search, count }: { search: CreativeSearch; count: string }) {
  const submit = useSubmit();
  return (
    <Form
      method="get"
      className="toolbar"
      role="search"
      preventScrollReset
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) submit(event.currentTarget, { preventScrollReset: true });
      }}
    >
      <span className="input-affix">
        <span aria-hidden>
          <Search className="icon" />
        </span>
        <input
          type="search"
          name="q"
          className="input"
          placeholder="Search by name"
          aria-label="Search by name"
          maxLength={200}
          defaultValue={search.q}
        />
      </span>
      <select name="type" className="input" aria-label="Kind of file" defaultValue={search.type ?? ""}>
        <option value="">All kinds</option>
        {creativeTypes.map((type) => (
          <option key={type} value={type}>
            {creativeTypeLabels[type]}
          </option>
        ))}
      </select>
      <Button>Search</Button>
      <span className="count">{count}</span>
    </Form>
  );
}
