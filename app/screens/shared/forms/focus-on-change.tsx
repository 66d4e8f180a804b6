import { type ReactNode, useEffect, useRef } from "react";

/** Moves focus to its children, which scrolls them into view, whenever `to` changes to a new form response. */
export function FocusOnChange({ to, children }: { to: unknown; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (to) place.current?.focus();
  }, [to]);
  return (
    <div ref={place} tabIndex={-1} className="focus-on-change">
      {children}
    </div>
  );
}
