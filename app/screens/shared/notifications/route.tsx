import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { type NotificationId, parseId } from "#app/domain/ids.ts";
import { findSuppression } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { describeSuppression, suppressionTitle } from "#app/domain/notifications/feedback/suppression-copy.ts";
import { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import {
  markAllNotificationsRead,
  markNotificationRead,
} from "#app/domain/notifications/mark-notifications-read.server.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { cursorParam, pageOrFirstPage, parseSearchParams } from "#app/web/search-params.server.ts";
import { toNotificationRow } from "./notification-row.ts";

const pageSize = 25;
const searchSchema = z.object({ show: z.enum(["all", "unread"]).catch("all"), cursor: cursorParam });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const { show, cursor } = parseSearchParams(request, searchSchema);
  const [page, suppression] = await Promise.all([
    pageOrFirstPage((query) => listNotifications(ctx, query), {
      limit: pageSize,
      cursor,
      unreadOnly: show === "unread",
    }),
    findSuppression(ctx, { userId: viewer.id }),
  ]);
  const rows = page.rows.map((row) => toNotificationRow(row, ctx.actor.kind, viewer.timeZone));
  return { base, show, ...page, rows, suppression, now: ctx.clock() };
}

/** Opens a notification's subject, or marks all notifications as read. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const form = await readFormData(request);
  if (form.get("intent") === "read-all") {
    const [seen, now] = [new Date(String(form.get("until"))), ctx.clock()];
    await markAllNotificationsRead(ctx, { until: seen > new Date(0) && seen < now ? seen : now });
    return redirect(safeRedirectPath(String(form.get("back") ?? "")) ?? portalHref(base, "/notifications"));
  }
  const id = parseId<NotificationId>(String(form.get("id") ?? ""));
  const notice = id && (await markNotificationRead(ctx, { id }));
  if (notice) {
    const { path } = describeNotification(notice, ctx.actor.kind);
    // A report of test mode says so in its path, for emails.
    return redirect(portalHref(path.startsWith("/test-mode/") ? `/${ctx.actor.kind}` : base, path));
  }
  const message = "This notification no longer exists";
  return redirectWithFlash(portalHref(base, "/notifications"), { tone: "info", message });
}

export default function Notifications() {
  const { base, rows, show, suppression, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Notifications"
        subtitle="Decisions, activity and items that need your attention"
        actions={
          rows.some(({ isRead }) => !isRead) ? (
            <Form method="post">
              <input type="hidden" name="until" value={now.toISOString()} />
              <Button name="intent" value="read-all" icon="check-check">
                Mark all as read
              </Button>
            </Form>
          ) : null
        }
      />
      {suppression ? (
        <div className="mb-4">
          <Notice tone="warn" title={suppressionTitle(suppression)}>
            {describeSuppression(suppression)} You see notifications here only.{" "}
            <Link className="link" to={portalHref(base, "/profile/confirm-email")}>
              Confirm address
            </Link>
          </Notice>
        </div>
      ) : null}
      <Tabs
        label="Notifications"
        tabs={[
          { label: "All", to: "?", current: show === "all" },
          { label: "Unread", to: "?show=unread", current: show === "unread" },
        ]}
      />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="bell-off" title={show === "unread" ? "No unread notifications" : "No notifications yet"}>
            {show === "unread" ? "You're all caught up." : "Decisions and activity appear here."}
          </EmptyState>
        ) : (
          <List />
        )}
      </Card>
    </>
  );
}

function List() {
  const { formatDateTime, formatRelativeTime } = useTimeFormats();
  const { rows, show, now, nextCursor, previousCursor } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? `?${new URLSearchParams({ show, cursor })}` : undefined);
  return (
    <>
      <ul className="notification-list">
        {rows.map(({ id, title, line, quote, createdAt, isRead }) => (
          <li key={id}>
            <Form method="post">
              <button type="submit" name="id" value={id}>
                <span className="notification-title">
                  <strong>{title}</strong>
                  {isRead ? null : <Badge tone="info">New</Badge>}
                </span>
                <span>{line}</span>
                {quote ? <q>{quote}</q> : null}
                <time dateTime={createdAt.toISOString()} title={formatDateTime(createdAt)}>
                  {formatRelativeTime(createdAt, now)}
                </time>
              </button>
            </Form>
          </li>
        ))}
      </ul>
      <Pagination shown={`${rows.length} shown`} previous={pageHref(previousCursor)} next={pageHref(nextCursor)} />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Notifications") }];
