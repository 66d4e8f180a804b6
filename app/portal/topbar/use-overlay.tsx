import { useLocation, useNavigate } from "@remix-run/react";
import { type ComponentType, useCallback, useRef, useState } from "react";
import { portalHref } from "#app/portal/portal-href.ts";
import { collectTyping } from "./collect-typing.ts";
import type { OverlayProps } from "./overlay-props.ts";

type Overlay = ComponentType<OverlayProps>;

/** What opens over any page, loaded when it is first opened, and the page that shows the same. */
const overlays = {
  search: { load: () => import("#app/portal/search/search-dialog.tsx"), path: "/search" },
  shortcuts: { load: () => import("#app/portal/shortcuts/shortcuts-sheet.tsx"), path: "/help#shortcuts" },
} as const;

/** Returns the open overlay, and what opens the others. If its script cannot be loaded, its page opens instead. */
export function useOverlay(props: Omit<OverlayProps, "onClose" | "endTyping">) {
  const { base } = props;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [state, setState] = useState<{ Open: Overlay | undefined; pathname: string }>({ Open: undefined, pathname });
  const typing = useRef<() => string>(undefined);
  const endTyping = useCallback(() => {
    const typed = typing.current?.() ?? "";
    typing.current = undefined;
    return typed;
  }, []);
  const show = useCallback(
    (name: keyof typeof overlays) => {
      const { load, path } = overlays[name];
      if (name === "search") typing.current ??= collectTyping();
      load().then(
        (module) => setState({ Open: module.default, pathname }),
        () => {
          endTyping();
          navigate(portalHref(base, path));
        },
      );
    },
    [base, endTyping, navigate, pathname],
  );
  const openSearch = useCallback(() => show("search"), [show]);
  const openShortcuts = useCallback(() => show("shortcuts"), [show]);
  const onClose = useCallback(() => setState({ Open: undefined, pathname: "" }), []);
  // Another page, such as after the browser's Back, has no overlay.
  const Open = state.pathname === pathname ? state.Open : undefined;
  return {
    openSearch,
    openShortcuts,
    overlay: Open ? <Open {...props} endTyping={endTyping} onClose={onClose} /> : null,
  };
}
