import { useLocation, useNavigate } from "@remix-run/react";
import { type ComponentType, useCallback, useRef, useState } from "react";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { openOnClick } from "#app/portal/search/search-field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link, ViewerContext } from "#app/ui/link.tsx";
import { useDismiss } from "./use-dismiss.ts";

type Popover = ComponentType<{ base: PortalBase; unread: number }>;

/**
 * The bell with the number of unread notifications: a link to their page, which with scripting opens the newest ones
 * below it instead.
 */
export function NotificationsBell({ base, viewer, unread }: { base: PortalBase; viewer: string; unread: number }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ Open: Popover | undefined }>({ Open: undefined });
  const close = useCallback(() => setState({ Open: undefined }), []);
  const { Open } = state;
  useDismiss(element, Open !== undefined, close);
  const to = portalHref(base, "/notifications");
  const open = () =>
    import("./notifications-popover.tsx").then(
      (module) => setState({ Open: module.default }),
      () => navigate(to),
    );
  const words = unread === 0 ? "Notifications" : `Notifications, ${unread > 99 ? "more than 99" : unread} unread`;
  return (
    <div className="notifications" ref={element}>
      <Link
        className="notifications-link"
        to={to}
        aria-label={words}
        aria-haspopup="dialog"
        aria-expanded={Open !== undefined}
        aria-current={pathname === to ? "page" : undefined}
        onClick={(event) => openOnClick(event, Open ? close : open)}
      >
        <Icon name="bell" />
        {unread > 0 ? (
          <span className="badge badge-warn" aria-hidden>
            {unread > 99 ? "99+" : unread}
          </span>
        ) : null}
      </Link>
      {Open ? (
        <ViewerContext.Provider value={viewer}>
          <Open base={base} unread={unread} />
        </ViewerContext.Provider>
      ) : null}
    </div>
  );
}
