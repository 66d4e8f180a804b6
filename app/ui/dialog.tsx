import { useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

/**
 * A dialog with its own URL: the server renders it open, and a link closes it. With scripting it becomes modal (focus
 * stays inside; Escape and a click outside go to `closeTo`; closing returns the focus to what opened it). A click
 * outside may be an accident, so it closes nothing while the dialog has input.
 */
export function Dialog({
  title,
  subtitle,
  closeTo,
  children,
  foot,
}: {
  title: ReactNode;
  subtitle?: ReactNode;
  closeTo: string;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const dialog = element.current;
    if (!dialog || dialog.matches(":modal")) return;
    const opener = document.activeElement;
    const url = location.pathname + location.search;
    dialog.close();
    dialog.showModal();
    // Screen readers announce the title first, not the close button.
    dialog.querySelector("h2")?.focus();
    return () => {
      dialog.close();
      returnFocus(opener, url);
    };
  }, []);
  const leave = () => navigate(closeTo, { preventScrollReset: true });
  return (
    <>
      <noscript>
        <div className="dialog-scrim" />
      </noscript>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and comes as the cancel event. */}
      <dialog
        open
        ref={element}
        className="dialog"
        aria-labelledby="dialog-title"
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
        onClick={(event) => {
          if (event.target === event.currentTarget && !hasInput(event.currentTarget)) leave();
        }}
      >
        <div className="dialog-header">
          <div>
            <h2 id="dialog-title" tabIndex={-1}>
              {title}
            </h2>
            {subtitle ? <p className="hint">{subtitle}</p> : null}
          </div>
          <Link to={closeTo} preventScrollReset className="button button-icon" aria-label="Close dialog">
            <Icon name="x" />
          </Link>
        </div>
        {children}
        {foot}
      </dialog>
    </>
  );
}

/** Whether something is chosen or written in a dialog's form, also what a rejected submission shows again. */
function hasInput(dialog: HTMLDialogElement): boolean {
  return (
    dialog.querySelector("input:checked") !== null ||
    [...dialog.querySelectorAll("textarea")].some(({ value }) => value !== "")
  );
}

/**
 * Focuses what opened a dialog: the element that had the focus, or after a visit by URL the link to it. If it has gone,
 * as the row of a decided campaign has, the page gets the focus.
 */
function returnFocus(opener: Element | null, url: string) {
  const isThere = opener?.isConnected && opener !== document.body;
  const target = isThere
    ? opener
    : (document.querySelector(`a[href="${CSS.escape(url)}"]`) ?? document.getElementById("main"));
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
