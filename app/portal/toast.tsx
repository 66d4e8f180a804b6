import { useFetcher, useLocation } from "@remix-run/react";
import { useRef } from "react";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Flash } from "#app/web/flash.server.ts";
import { type PortalBase, portalHref } from "./portal-href.ts";
import { useToast } from "./use-toast.ts";

const tones = { success: "good", error: "bad", info: "info" } as const;

/**
 * The result of the last form, in a corner of the window wherever the page is scrolled. With scripting it can be
 * dismissed, and all but errors fade; without, it stays until the next page.
 */
export function Toast({ base, flash }: { base: PortalBase; flash: Flash | undefined }) {
  const { toast, dismiss, setHeld } = useToast(flash);
  const before = useRef<Element | null>(null);
  return (
    <section
      className="toast-region"
      aria-label="Messages"
      aria-live="polite"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={({ currentTarget, relatedTarget, target }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
        setHeld(target.matches(":focus-visible"));
      }}
      onBlur={() => setHeld(false)}
    >
      {toast ? (
        <div className="toast">
          <Notice tone={tones[toast.tone]}>{toast.message}</Notice>
          {toast.undo ? <UndoForm base={base} undo={toast.undo} /> : null}
          <button
            type="button"
            className="button button-icon toast-dismiss"
            aria-label="Dismiss message"
            onClick={() => {
              const back = before.current?.isConnected ? before.current : document.getElementById("main");
              if (back instanceof HTMLElement) back.focus({ preventScroll: true });
              dismiss();
            }}
          >
            <Icon name="x" />
          </button>
        </div>
      ) : null}
    </section>
  );
}

function UndoForm({ base, undo }: { base: PortalBase; undo: NonNullable<Flash["undo"]> }) {
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  return (
    <fetcher.Form method="post" action={portalHref(base, "/undo")} preventScrollReset>
      {("ids" in undo ? undo.ids : [undo.id]).map((id) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <input type="hidden" name="back" value={pathname + search} />
      <button
        type="submit"
        name="action"
        value={undo.action}
        className="button"
        aria-disabled={fetcher.state !== "idle" || undefined}
      >
        Undo
      </button>
    </fetcher.Form>
  );
}
