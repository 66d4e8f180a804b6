import { Card } from "#app/ui/page-header.tsx";
import type { LoadedImport } from "./load-import.server.ts";

const shown = 30;

/** The unmapped columns of a table, each with its first value. */
export function DetectedColumns({ columns: { found } }: { columns: NonNullable<LoadedImport["columns"]> }) {
  return (
    <Card title="Columns in the file">
      <ul className="field-list">
        {found.slice(0, shown).map(({ name, examples }) => (
          <li key={name}>
            <strong className="wrap-anywhere">{name}</strong>
            <span className="hint wrap-anywhere">{examples.join(" · ") || "empty"}</span>
          </li>
        ))}
      </ul>
      {found.length > shown ? <p className="hint">{`and ${found.length - shown} more`}</p> : null}
    </Card>
  );
}
