import type { FormEvent, ReactNode } from "react";
import { rowIcon } from "#app/ui/row-icon.tsx";

/**
 * A row's actions: side by side in a table; in a narrow card, a sheet that one button opens, or the action itself if
 * there is only one. The sheet is a popover, so it opens without scripting, closes on Escape, and returns the focus to
 * its button.
 *
 * The caller says how many there are, because a style sheet that counts them with `:has()` makes the browser compute
 * the styles of the whole page again for each row that it hydrates.
 */
export function RowActions({
  sheetId,
  rowName,
  isSingle,
  children,
}: {
  /** The id of the sheet, unique in the page. */
  sheetId: string;
  rowName: string;
  isSingle: boolean;
  children: ReactNode;
}) {
  if (children === null) return <td className="actions-cell" />;
  if (isSingle) {
    return (
      <td className="actions-cell">
        <div className="row-actions">{children}</div>
      </td>
    );
  }
  return (
    <td className="actions-cell">
      <button
        type="button"
        className={`button button-icon actions-open ${rowIcon("more")}`}
        aria-label={`Actions for ${rowName}`}
        popovertarget={sheetId}
      />
      <div className="row-actions" id={sheetId} popover="auto" onSubmit={closeSheet}>
        {children}
      </div>
    </td>
  );
}

/** A sheet that stayed open would cover the message about what was done, with its Undo. */
function closeSheet({ currentTarget: sheet }: FormEvent<HTMLDivElement>): void {
  if (sheet.matches(":popover-open")) sheet.hidePopover();
}
