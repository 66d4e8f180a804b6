import type { Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { describeStoreProblem } from "#app/domain/catalog/stores/store.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** The connection's status after the last request. */
export function StoreStatusBadge({ store: { problem, last } }: { store: Store }) {
  if (last?.status === "running")
    return <Badge tone={problem ? "warn" : "info"}>{problem ? "Retrying" : "Syncing"}</Badge>;
  return problem ? <Badge tone="bad">Needs attention</Badge> : <Badge tone="good">Connected</Badge>;
}

/** Describes the result of the last sync in one sentence, after what needs attention. */
export function LastSync({ store: { name, problem, last, apiEnd } }: { store: Store }) {
  const { formatDateTime } = useTimeFormats();
  const problemText = (problem ? `${name} ${describeStoreProblem(problem)}. ` : "") + (apiEnd ? `${apiEnd} ` : "");
  if (!last) return <>{problemText}No products imported yet.</>;
  if (last.status === "running") {
    return (
      <>
        {problemText}
        {`${pluralize(last.rowsRead, "product")} read so far.${problem ? " Resumes automatically." : ""}`}
      </>
    );
  }
  const when = formatDateTime(last.finishedAt ?? last.createdAt);
  if (last.status === "failed") return <>{`${last.error ?? "The last sync failed."} ${when}.`}</>;
  const changed = last.updated - last.unchanged;
  const rejected = last.rejected > 0 ? `, ${formatCount(last.rejected)} rejected` : "";
  return (
    <>
      {problemText}
      {`${formatCount(last.created)} new, ${formatCount(changed)} updated, ${formatCount(last.unchanged)} unchanged${rejected} on ${when}.`}
    </>
  );
}
