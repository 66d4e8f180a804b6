import { formatCount } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** What was read, and what it makes of the catalogue. Nothing when nothing was read. */
export function ImportFigures({ shown }: { shown: LoadedImport["shown"] }) {
  const { status, rowsRead, created, updated, unchanged, rejected, skipped } = shown;
  if (rowsRead === 0 && status !== "running") return null;
  const would = status === "previewed" ? "would be" : "were";
  return (
    <StatTiles
      stats={[
        {
          label: "Rows read",
          value: formatCount(rowsRead),
          note: skipped > 0 && `${formatCount(skipped)} are no product`,
        },
        { label: "New products", value: formatCount(created), note: created > 0 && `${would} added` },
        {
          label: "Updated",
          value: formatCount(updated),
          note: updated > 0 && `${formatCount(unchanged)} of them unchanged`,
        },
        { label: "Rejected", value: formatCount(rejected), note: rejected > 0 && "with the reason for each" },
      ]}
    />
  );
}
