import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Icon } from "./icon.tsx";

/**
 * A modal dialog that exists with scripting alone: Escape, a click outside and its button close it, and the focus
 * returns to the element that had it.
 */
export function ModalDialog({
  title,
  onClose,
  className = "",
  children,
}: {
  title: string;
  onClose: () => void;
  className?: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  // A layout effect, because only a dialog that is still in the document returns the focus when it closes.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Screen readers announce the title first, not the close button.
    dialog?.querySelector("h2")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and comes as the cancel event.
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-header">
        <h2 tabIndex={-1}>{title}</h2>
        <button type="button" className="button button-icon" aria-label="Close dialog" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
