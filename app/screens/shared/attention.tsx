import { type ReactNode, useEffect, useRef } from "react";

/** Brings what it holds into sight and under the keyboard when a new answer `to` a form arrives. */
export function Attention({ to, children }: { to: unknown; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (to) place.current?.focus();
  }, [to]);
  return (
    <div ref={place} tabIndex={-1} className="attention">
      {children}
    </div>
  );
}
