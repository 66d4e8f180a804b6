import type { SubmissionResult } from "@conform-to/react";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";

/** Why the form was rejected, or else why the payment failed of which it is the next attempt. Gets the focus. */
export function PlanPaymentErrors({
  rejected,
  failed,
}: {
  rejected: SubmissionResult<string[]> | undefined;
  failed: { id: string; failure: string } | undefined;
}) {
  return (
    <FocusOnChange to={rejected ?? failed?.id}>
      <ErrorSummary errors={toSummaryErrors(rejected ? rejected.error : failed && { "": [failed.failure] }, [])} />
    </FocusOnChange>
  );
}
