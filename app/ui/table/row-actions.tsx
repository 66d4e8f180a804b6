import type { FormEvent, ReactNode } from "react";
import { RowIcon } from "#app/ui/row-icon.tsx";

/**
 * A row's actions: side by side in a table; in a narrow card, a sheet that one button opens. The sheet is a popover, so
 * it opens without scripting, closes on Escape, and returns the focus to its button.
 */
export function RowActions({ rowId, children }: { rowId: string; children: ReactNode }) {
  const sheet = `actions-${rowId}`;
  return (
    <td className="actions-cell">
      <button
        type="button"
        id={`${sheet}-open`}
        className="button button-icon actions-open"
        aria-label="Actions for"
        aria-labelledby={`${sheet}-open title-${rowId}`}
        popovertarget={sheet}
      >
        <RowIcon name="more" />
      </button>
      <div className="row-actions" id={sheet} popover="auto" onSubmit={closeSheet}>
        {children}
      </div>
    </td>
  );
}

/** A sheet that stayed open would cover the message about what was done, with its Undo. */
function closeSheet({ currentTarget: sheet }: FormEvent<HTMLDivElement>): void {
  if (sheet.matches(":popover-open")) sheet.hidePopover();
}
