import type { ReactNode } from "react";

/** The head of a list: its filters, and beside them the menus of its saved views and columns. */
export function ListHead({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className="list-head">
      {filters}
      <div className="list-tools">{children}</div>
    </div>
  );
}
