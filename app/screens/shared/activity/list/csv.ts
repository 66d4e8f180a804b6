import type { LoaderFunctionArgs } from "@remix-run/node";
import { activityKindLabels } from "#app/domain/audit/activity.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { readStale } from "#app/domain/stale-reads.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { formatActivityLine, toActivityLines } from "#app/screens/shared/activity/activity-lines.ts";
import {
  type ActivitySearch,
  activityQuery,
  parseActivitySearch,
} from "#app/screens/shared/activity/activity-search.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { consumeExportLimit } from "#app/web/exports/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { iteratePages } from "#app/web/iterate-pages.ts";

/** The trail by the address's filters, all of it, as a file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const search = { ...parseActivitySearch(request), cursor: undefined, saved: undefined };
  try {
    await consumeExportLimit(ctx, request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/activity${activityQuery(search)}`);
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
  return csvResponse("activity.csv", rowsOf(ctx, search));
}

async function* rowsOf(ctx: Ctx<TenantActor>, search: ActivitySearch) {
  yield [["Time (UTC)", "Actor", "Event", "Object", "Type", "Source", "Notes", "Changes", "ID"]];
  for await (const entries of iteratePages((page) =>
    readStale(ctx, (reading) => listActivity(reading, { ...search, ...page })),
  )) {
    yield toActivityLines(entries, ctx.actor).map((line) => [
      ...[
        line.at.toISOString(),
        line.who,
        formatActivityLine(line),
        line.name,
        activityKindLabels[line.kind],
        line.entrypoint,
      ],
      ...[
        [line.reasons, line.notes].filter(Boolean).join(": "),
        line.changes.map(({ label, was, is }) => `${label}: ${was} → ${is}`).join("; "),
        line.id,
      ],
    ]);
  }
}
