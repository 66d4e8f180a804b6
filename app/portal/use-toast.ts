import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import type { Flash } from "#app/web/flash.server.ts";

/** Long enough to read 300 characters; with Undo, also to reach the button. In milliseconds. */
const shownMs = { plain: 8_000, undoable: 14_000 };

/**
 * Returns the message to show. It outlives the loader data it came with, because any reload of the page's data brings
 * none: an error until the next page, any other for some seconds, which stop while a person points at it or focuses it.
 */
export function useToast(flash: Flash | undefined) {
  const { pathname } = useLocation();
  const [held, setHeld] = useState(false);
  const [state, setState] = useState({ flash, pathname, toast: flash });
  if (flash !== state.flash || pathname !== state.pathname) {
    const isNew = flash !== undefined && flash !== state.flash;
    const isOld = pathname !== state.pathname && state.toast?.tone === "error";
    setState({ flash, pathname, toast: isNew ? flash : isOld ? undefined : state.toast });
  }
  const { toast } = state;
  const dismiss = useCallback(() => {
    setHeld(false);
    setState((now) => ({ ...now, toast: undefined }));
  }, []);
  useEffect(() => {
    if (!toast || toast.tone === "error" || held) return;
    const timer = setTimeout(dismiss, toast.undo ? shownMs.undoable : shownMs.plain);
    return () => clearTimeout(timer);
  }, [toast, held, dismiss]);
  return { toast, dismiss, setHeld };
}
