import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import type { LatestNotifications } from "./latest-notifications.ts";

/** The newest notifications. Opening one marks it as read. */
export default function NotificationsPopover({ base, unread }: { base: PortalBase; unread: number }) {
  const { pathname, search } = useLocation();
  const element = useRef<HTMLElement>(null);
  const [latest, setLatest] = useState<LatestNotifications | "unavailable">();
  const all = portalHref(base, "/notifications");
  useEffect(() => {
    const leaving = new AbortController();
    element.current?.focus();
    loadLatest(`${all}/latest`, leaving.signal).then((rows) => {
      if (!leaving.signal.aborted) setLatest(rows);
    });
    return () => leaving.abort();
  }, [all]);
  return (
    <section
      className="popover notifications-popover"
      role="dialog"
      aria-label="Newest notifications"
      tabIndex={-1}
      ref={element}
    >
      <div className="popover-header">
        <h2>Notifications</h2>
        {unread > 0 ? (
          <Form method="post" action={all} preventScrollReset>
            <input type="hidden" name="back" value={pathname + search} />
            <input type="hidden" name="until" value={Array.isArray(latest) ? (latest[0]?.at ?? "") : ""} />
            <Button variant="ghost" name="intent" value="read-all">
              Mark all as read
            </Button>
          </Form>
        ) : null}
      </div>
      {Array.isArray(latest) && latest.length > 0 ? (
        <ul>
          {latest.map(({ id, title, line, isRead, when }) => (
            <li key={id}>
              <Form method="post" action={all}>
                <button type="submit" name="id" value={id}>
                  <span className="notification-title">
                    <strong>{title}</strong>
                    {isRead ? null : <Badge tone="info">New</Badge>}
                  </span>
                  <span>{line}</span>
                  <small>{when}</small>
                </button>
              </Form>
            </li>
          ))}
        </ul>
      ) : (
        <p role="status">{message(latest)}</p>
      )}
      <div className="popover-footer">
        <Link className="link" to={all}>
          All notifications
        </Link>
      </div>
    </section>
  );
}

function message(latest: LatestNotifications | "unavailable" | undefined): string {
  if (latest === "unavailable") return "Notifications are unavailable right now";
  return latest ? "Decisions and activity appear here." : "";
}

async function loadLatest(href: string, signal: AbortSignal): Promise<LatestNotifications | "unavailable"> {
  try {
    const response = await fetch(href, { signal });
    const rows: unknown = response.ok ? await response.json() : undefined;
    return isLatest(rows) ? rows : "unavailable";
  } catch {
    return "unavailable";
  }
}

function isLatest(rows: unknown): rows is LatestNotifications {
  return Array.isArray(rows);
}
