import type { LoaderFunctionArgs } from "@remix-run/node";
import { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import type { LatestNotifications } from "#app/portal/topbar/latest-notifications.ts";
import { toNotificationRow } from "#app/screens/shared/notifications/notification-row.ts";
import { formatRelativeTime } from "#app/ui/format.ts";

/** Fits a window without scrolling. */
const shown = 6;

/** Returns the newest notifications for the popover of the bell. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer } = await requireCurrentPortalAccess(request, context);
  const { rows } = await listNotifications(ctx, { limit: shown });
  const latest: LatestNotifications = rows.map((row) => {
    const { id, title, line, isRead, createdAt } = toNotificationRow(row, ctx.actor.kind, viewer.timeZone);
    const when = formatRelativeTime(createdAt, ctx.clock(), viewer.timeZone);
    return { id, title, line: line ?? "", isRead, when, at: createdAt.toISOString() };
  });
  return Response.json(latest, { headers: { "Cache-Control": "private, no-store" } });
}
