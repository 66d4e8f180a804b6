import type { LoaderFunctionArgs } from "@remix-run/node";
import { activityKindLabels } from "#app/domain/audit/activity.ts";
import { listActivity } from "#app/domain/audit/list-activity.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { takeExport } from "#app/web/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { pagesOf } from "#app/web/pages-of.ts";
import { activityLines, sentenceOfLine } from "./activity-lines.ts";
import { type ActivitySearch, activityQuery, readActivitySearch } from "./activity-search.server.ts";

/** The trail by the address's filters, all of it, as a file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const search = { ...readActivitySearch(request), cursor: undefined };
  try {
    await takeExport(ctx);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/activity${activityQuery(search)}`);
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
  return csvAnswer("activity.csv", rowsOf(ctx, search));
}

async function* rowsOf(ctx: Ctx<TenantActor>, search: ActivitySearch) {
  yield [["When (UTC)", "Who", "What", "About", "Kind", "How", "Notes", "Changes", "ID"]];
  for await (const entries of pagesOf((page) => listActivity(ctx, { ...search, ...page }))) {
    yield activityLines(entries, ctx.actor).map((line) => [
      ...[line.at.toISOString(), line.who, sentenceOfLine(line), line.name, activityKindLabels[line.kind], line.door],
      ...[line.notes, line.changes.map(({ label, was, is }) => `${label}: ${was} → ${is}`).join("; "), line.id],
    ]);
  }
}
