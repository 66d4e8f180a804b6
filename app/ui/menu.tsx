import type { ReactNode } from "react";
import { RowIcon } from "./row-icon.tsx";

/** The actions that are rarer: a `<details>` that opens without scripting. Its children are links and form buttons. */
export function Menu({ label, of, children }: { label: string; of: string; children: ReactNode }) {
  return (
    <details className="menu">
      <summary className="button button-icon" aria-label={`${label} ${of}`} title={label}>
        <RowIcon name="more" />
      </summary>
      <div>{children}</div>
    </details>
  );
}
