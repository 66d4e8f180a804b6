import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { BellOff, CheckCheck } from "lucide-react";
import { z } from "zod";
import { type NotificationId, parseId } from "#app/domain/ids.ts";
import { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import { readAllNotifications, readNotification } from "#app/domain/notifications/read-notifications.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { formatAgo, formatInstant } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader, Tabs } from "#app/ui/layout.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { readForm } from "#app/web/form.server.ts";
import { cursorParam, readSearch } from "#app/web/search-params.server.ts";

const pageSize = 25;
const searchSchema = z.object({ show: z.enum(["all", "unread"]).catch("all"), cursor: cursorParam });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { show, cursor } = readSearch(request, searchSchema);
  const page = await listNotifications(ctx, { limit: pageSize, cursor, unreadOnly: show === "unread" });
  const rows = page.rows.map((row) => {
    const { title, lines, quote } = wordsOf(row, ctx.actor.kind);
    return { id: row.id, title, line: lines[0], quote, createdAt: row.createdAt, isRead: row.readAt !== null };
  });
  return { base, show, ...page, rows, now: ctx.clock() };
}

/** Opens what a notice is about, or marks all as read. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const form = await readForm(request);
  if (form.get("intent") === "read-all") {
    await readAllNotifications(ctx);
    return redirect(portalHref(base, "/notifications"));
  }
  const id = parseId<NotificationId>(String(form.get("id") ?? ""));
  const notice = id && (await readNotification(ctx, { id }));
  if (notice) return redirect(portalHref(base, wordsOf(notice, ctx.actor.kind).path));
  const message = "That notification is not here";
  return redirectWithFlash(portalHref(base, "/notifications"), { tone: "info", message });
}

export default function Notifications() {
  const { rows, show } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Notifications"
        subtitle="What the other side did, and what waits for you"
        actions={
          rows.some(({ isRead }) => !isRead) ? (
            <Form method="post">
              <Button name="intent" value="read-all" icon={CheckCheck}>
                Mark all as read
              </Button>
            </Form>
          ) : null
        }
      />
      <Tabs
        label="Notifications"
        tabs={[
          { label: "All", to: "?", current: show === "all" },
          { label: "Unread", to: "?show=unread", current: show === "unread" },
        ]}
      />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon={BellOff} title={show === "unread" ? "Nothing unread" : "No notifications yet"}>
            {show === "unread" ? "You have seen everything." : "What the other side decides and does is told here."}
          </EmptyState>
        ) : (
          <List />
        )}
      </Card>
    </>
  );
}

function List() {
  const { rows, show, now, nextCursor, previousCursor } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? `?${new URLSearchParams({ show, cursor })}` : undefined);
  return (
    <>
      <ul className="notices">
        {rows.map(({ id, title, line, quote, createdAt, isRead }) => (
          <li key={id}>
            <Form method="post">
              <button type="submit" name="id" value={id}>
                <span className="notice-title">
                  <strong>{title}</strong>
                  {isRead ? null : <Badge tone="info">New</Badge>}
                </span>
                <span>{line}</span>
                {quote ? <q>{quote}</q> : null}
                <time dateTime={createdAt.toISOString()} title={formatInstant(createdAt)}>
                  {formatAgo(createdAt, now)}
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
