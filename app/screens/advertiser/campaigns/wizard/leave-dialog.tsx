import { useEffect, useRef } from "react";

/** Asks before a page with unsaved input is left. */
export function LeaveDialog({ asks, stay, leave }: { asks: boolean; stay: () => void; leave: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asks) element.current?.showModal();
    else element.current?.close();
  }, [asks]);
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby="leave-title"
      onCancel={(event) => {
        event.preventDefault();
        stay();
      }}
    >
      <div className="dialog-header">
        <h2 id="leave-title">Leave without saving?</h2>
      </div>
      <div className="dialog-body">
        <p>Your last changes could not be saved. They are lost if you leave this page.</p>
      </div>
      <div className="dialog-footer">
        <button type="button" className="button" onClick={leave}>
          Leave without saving
        </button>
        <button type="button" className="button button-primary" onClick={stay}>
          Keep editing
        </button>
      </div>
    </dialog>
  );
}
