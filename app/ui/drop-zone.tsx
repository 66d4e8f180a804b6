import { type DragEvent, type ReactNode, useState } from "react";

/**
 * An area that accepts dropped files for the file input inside it. Without scripting, the input alone accepts them, as
 * browsers do.
 */
export function DropZone({ children }: { children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent<HTMLDivElement>) => {
    setIsOver(false);
    const input = event.currentTarget.querySelector<HTMLInputElement>("input[type=file]");
    if (!input || event.target === input || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside is the way of the keyboard.
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
      }}
      onDrop={drop}
    >
      {children}
      <p className="hint drop-hint js-only" aria-hidden>
        Or drop files anywhere in this area
      </p>
    </div>
  );
}
