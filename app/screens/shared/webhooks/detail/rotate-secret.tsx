import type { SubmissionResult } from "@conform-to/react";
import { secretOverlapHours } from "#app/domain/webhooks/webhook.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** Confirms the rotation of a webhook's secret, once or again while the previous secret still signs. */
export function RotateSecretDialog({
  closeTo,
  rejected,
  idempotencyKey,
  isRotatedAgain,
}: {
  closeTo: string;
  rejected: SubmissionResult<string[]> | undefined;
  idempotencyKey: string;
  isRotatedAgain: boolean;
}) {
  return (
    <ConfirmDialog
      title={isRotatedAgain ? "Rotate the secret again?" : "Rotate the secret?"}
      closeTo={closeTo}
      rejected={rejected}
      keep="Keep secret"
      act={{ intent: "rotate-secret", label: "Rotate secret" }}
      hidden={<input type="hidden" name="idempotency_key" value={idempotencyKey} />}
    >
      {isRotatedAgain
        ? `The current secret stops signing events immediately. For another ${secretOverlapHours} hours we sign each event with the new secret and with the one from before the first rotation.`
        : `We show the new secret once. For ${secretOverlapHours} hours we sign each event with both the new and the current secret, so your server can verify events until you replace its secret.`}
    </ConfirmDialog>
  );
}

/** Shows the new secret, once. A repeated form has none. `to` is the form's response, which moves the focus here. */
export function RotatedSecret({ to, secret }: { to: unknown; secret: string | undefined }) {
  return (
    <FocusOnChange to={to}>
      {secret ? (
        <Notice tone="good" title="Secret rotated">
          <p className="mb-2">Copy the new secret now. It won't be shown again.</p>
          <CopyField label="New secret" value={secret} />
        </Notice>
      ) : (
        <Notice tone="warn" title="The secret was already rotated">
          The new secret is shown only once. If you didn't save it, rotate the secret again.
        </Notice>
      )}
    </FocusOnChange>
  );
}

/** Says until when events have two signatures. */
export function SecretOverlap({ until }: { until: Date }) {
  const { formatDateTime } = useTimeFormats();
  return (
    <Notice title={`The previous secret signs events until ${formatDateTime(until)}`}>
      Until then we sign each event with both secrets. Replace the secret of your server before that.
    </Notice>
  );
}
