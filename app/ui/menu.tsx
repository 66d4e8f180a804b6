import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";

/** The actions that are rarer: a `<details>` that opens without scripting. Its children are links and form buttons. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="menu">
      <summary className="button button-icon" aria-label={label} title={label}>
        <Ellipsis aria-hidden />
      </summary>
      <div>{children}</div>
    </details>
  );
}
