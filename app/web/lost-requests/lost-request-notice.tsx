import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { dismissLostRequest, lostRequest, onLostRequest } from "./lost-request.ts";

/**
 * Reports a failed request over the unchanged screen, or inside the modal dialog that was sent: nothing outside one can
 * be pressed.
 */
export function LostRequestNotice() {
  const lost = useSyncExternalStore(onLostRequest, lostRequest, () => undefined);
  if (!lost) return null;
  const notice = (
    <div className="lost-request">
      <Notice tone="bad" title={lost.title}>
        <p>{lost.text}</p>
        {lost.signInHref ? (
          <p>
            <a className="link" href={lost.signInHref} target="_blank" rel="noopener">
              Sign in<span className="sr-only"> (opens in a new tab)</span>
            </a>
          </p>
        ) : null}
        {lost.retry ? (
          <button type="button" className="button mt-2" onClick={lost.retry}>
            Try again
          </button>
        ) : null}
      </Notice>
      <button type="button" className="button button-icon" aria-label="Dismiss" onClick={dismissLostRequest}>
        <Icon name="x" />
      </button>
    </div>
  );
  const dialog = document.querySelector("dialog:modal");
  return dialog ? createPortal(notice, dialog) : notice;
}
