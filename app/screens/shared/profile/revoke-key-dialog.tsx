import type { SubmissionResult } from "@conform-to/react";
import type { ListedApiKey } from "#app/domain/api-keys/list-api-keys.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";

/** Confirms the revocation of a key. The form is sent to the dialog's own URL, so that the dialog shows why it was rejected. */
export function RevokeKeyDialog({
  apiKey,
  closeTo,
  rejected,
}: {
  apiKey: Pick<ListedApiKey, "id" | "name">;
  closeTo: string;
  rejected: SubmissionResult<string[]> | undefined;
}) {
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} closeTo={closeTo}>
      <div className="dialog-body stack">
        {rejected ? (
          <FocusOnChange to={rejected}>
            <ErrorSummary errors={toSummaryErrors(rejected.error)} />
          </FocusOnChange>
        ) : null}
        <p>Requests that use this key stop working right away. You can't undo this.</p>
      </div>
      <Form method="post" className="dialog-footer">
        <input type="hidden" name="id" value={apiKey.id} />
        <LinkButton to={closeTo} variant="ghost">
          Keep key
        </LinkButton>
        <Button name="intent" value="revoke-key" variant="danger">
          Revoke key
        </Button>
      </Form>
    </Dialog>
  );
}
