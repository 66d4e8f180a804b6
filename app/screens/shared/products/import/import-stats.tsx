import type { ImportField } from "#app/domain/catalog/imports/catalog-import.ts";
import { formatCount } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** What was read, and its effect on the catalog. Renders nothing if no row was read. */
export function ImportStats({ shown, missing }: { shown: LoadedImport["shown"]; missing: readonly ImportField[] }) {
  const { status, rowsRead, created, updated, unchanged, rejected, skipped } = shown;
  if (rowsRead === 0 && status !== "running") return null;
  const would = status === "previewed" ? "would be" : "were";
  return (
    <StatTiles
      stats={[
        {
          label: "Rows read",
          value: formatCount(rowsRead),
          note: skipped > 0 && `${formatCount(skipped)} skipped: not products`,
        },
        { label: "New products", value: formatCount(created), note: created > 0 && `${would} added` },
        {
          label: "Updated",
          value: formatCount(updated),
          note: updated > 0 && `including ${formatCount(unchanged)} unchanged`,
        },
        {
          label: "Rejected",
          value: formatCount(rejected),
          note: rejected > 0 && (missing.length > 0 ? "Columns are missing" : "See the reasons below"),
        },
      ]}
    />
  );
}
