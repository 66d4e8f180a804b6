import { useNavigation, useSubmit } from "@remix-run/react";
import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import type { ColumnChoice } from "./choose-columns.ts";
import { ListMenu } from "./list-menu.tsx";

/**
 * The columns of a list to choose from, stored in the URL. With scripting, each choice applies at once. `query` is the
 * list's query string without the chosen columns.
 */
export function ColumnsMenu({ choices, query }: { choices: readonly ColumnChoice[]; query: string }) {
  const submit = useSubmit();
  const chosen = choices.filter(({ isChosen }) => isChosen).map(({ name }) => name);
  const url = chosen.join(",");
  const [checked, setChecked] = useState({ url, names: chosen });
  // While another choice is loading, the URL is that of an earlier one and must not undo it.
  const { state } = useNavigation();
  if (state === "idle" && checked.url !== url) setChecked({ url, names: chosen });
  return (
    <ListMenu label="Columns" icon="columns-3">
      <Form
        method="get"
        className="columns-form"
        preventScrollReset
        onChange={({ currentTarget }) => submit(currentTarget, { preventScrollReset: true, replace: true })}
      >
        {[...new URLSearchParams(query)].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="columns" value="" />
        <fieldset>
          <legend>Columns</legend>
          {choices.map(({ name, label }) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                name="columns"
                value={name}
                checked={checked.names.includes(name)}
                onChange={({ target }) =>
                  setChecked({
                    ...checked,
                    names: checked.names.filter((other) => other !== name).concat(target.checked ? name : []),
                  })
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
        <p className="hint">Columns that don't fit are left out, and named above the table.</p>
        <div className="actions">
          <span className="without-scripting">
            <Button>Apply</Button>
          </span>
          <Link className="link" to={query || "?"} preventScrollReset>
            Reset columns
          </Link>
        </div>
      </Form>
    </ListMenu>
  );
}
