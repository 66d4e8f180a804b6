import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Notice } from "#app/ui/notice.tsx";
import { dismissLostRequest, lostRequest, onLostRequest } from "./lost-requests.ts";

/** Reports a failed request over the unchanged screen. */
export function LostRequestNotice() {
  const lost = useSyncExternalStore(onLostRequest, lostRequest, () => undefined);
  if (!lost) return null;
  return (
    <div className="lost-request">
      <Notice tone="bad" title={lost.title}>
        {lost.text}
      </Notice>
      <button type="button" className="button button-icon" aria-label="Dismiss" onClick={dismissLostRequest}>
        <X aria-hidden />
      </button>
    </div>
  );
}
