import { Link, useNavigate } from "@remix-run/react";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

/**
 * A dialog that is a URL: the server renders it open, a link closes it. With scripting it becomes modal (focus is kept
 * inside, Escape and a click beside it go to `closeTo`).
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
    dialog.close();
    dialog.showModal();
    // What the dialog is about is read first, not the button that closes it.
    dialog.querySelector("h2")?.focus();
    return () => dialog.close();
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
          if (event.target === event.currentTarget) leave();
        }}
      >
        <div className="dialog-head">
          <div>
            <h2 id="dialog-title" tabIndex={-1}>
              {title}
            </h2>
            {subtitle ? <p className="hint">{subtitle}</p> : null}
          </div>
          <Link to={closeTo} preventScrollReset className="button button-icon" aria-label="Close dialog">
            <X aria-hidden />
          </Link>
        </div>
        {children}
        {foot}
      </dialog>
    </>
  );
}
