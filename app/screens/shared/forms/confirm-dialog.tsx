import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { FocusOnChange } from "./focus-on-change.tsx";

/**
 * A dialog that confirms an irreversible action. Its form is sent to the dialog's own URL, so that the dialog shows why
 * the action was rejected: with scripting it would hide a message of the page behind it.
 */
export function ConfirmDialog({
  title,
  closeTo,
  rejected,
  keep,
  act,
  hidden,
  children,
}: {
  title: string;
  closeTo: string;
  rejected: SubmissionResult<string[]> | undefined;
  /** The label of the link that closes the dialog. */
  keep: string;
  act: { intent: string; label: string };
  hidden?: ReactNode;
  children: ReactNode;
}) {
  const busy = useIsPosting();
  return (
    <Dialog title={title} closeTo={closeTo}>
      <div className="dialog-body stack wrap-anywhere">
        {rejected ? (
          <FocusOnChange to={rejected}>
            <ErrorSummary errors={toSummaryErrors(rejected.error, [])} />
          </FocusOnChange>
        ) : null}
        <p>{children}</p>
      </div>
      <Form method="post" className="dialog-footer">
        {hidden}
        <LinkButton to={closeTo} variant="ghost">
          {keep}
        </LinkButton>
        <Button name="intent" value={act.intent} variant="danger" busy={busy}>
          {act.label}
        </Button>
      </Form>
    </Dialog>
  );
}
