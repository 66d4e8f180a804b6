import type { Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { wordsOfStoreProblem } from "#app/domain/catalog/stores/store.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, formatInstant, formatNumberOf } from "#app/ui/format.ts";

/** The state of a connection as the last request left it. */
export function StoreBadge({ store: { problem, last } }: { store: Store }) {
  if (last?.status === "running")
    return <Badge tone={problem ? "warn" : "info"}>{problem ? "Waiting" : "Syncing"}</Badge>;
  return problem ? <Badge tone="bad">Needs attention</Badge> : <Badge tone="good">Connected</Badge>;
}

/** What came of the last sync, in a sentence. */
export function LastSync({ store: { name, problem, last } }: { store: Store }) {
  const words = problem ? `${name} ${wordsOfStoreProblem(problem)}. ` : "";
  if (!last) return <>{words}Nothing was fetched yet.</>;
  if (last.status === "running") {
    return (
      <>
        {words}
        {`${formatNumberOf(last.rowsRead, "product")} read so far${problem ? "; it goes on by itself" : ""}.`}
      </>
    );
  }
  const when = formatInstant(last.finishedAt ?? last.createdAt);
  if (last.status === "failed") return <>{`${last.error ?? "The last sync failed."} ${when}.`}</>;
  const changed = last.updated - last.unchanged;
  const rejected = last.rejected > 0 ? `, ${formatCount(last.rejected)} rejected` : "";
  return (
    <>
      {words}
      {`${formatCount(last.created)} new, ${formatCount(changed)} changed, ${formatCount(last.unchanged)} as they were${rejected}. ${when}.`}
    </>
  );
}
