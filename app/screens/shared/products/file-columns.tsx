import { Card } from "#app/ui/layout.tsx";
import type { LoadedImport } from "./load-import.server.ts";

const shown = 30;

/** What a table has that nobody knows: its columns, each with the first thing that stands in it. */
export function FileColumns({ columns: { found } }: { columns: NonNullable<LoadedImport["columns"]> }) {
  return (
    <Card title="In the file">
      <ul className="field-list">
        {found.slice(0, shown).map(({ name, example }) => (
          <li key={name}>
            <strong className="wrap-anywhere">{name}</strong>
            <span className="hint wrap-anywhere">{example || "empty"}</span>
          </li>
        ))}
      </ul>
      {found.length > shown ? <p className="hint">{`and ${found.length - shown} more`}</p> : null}
    </Card>
  );
}
