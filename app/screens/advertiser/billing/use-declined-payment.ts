import type { SubmissionResult } from "@conform-to/react";
import { useState } from "react";

/**
 * Returns the response of a form whose payment failed before, with what was entered: the form is the next attempt. Kept
 * while the page's data is loaded again, so that the summary gets the focus once.
 */
export function useDeclinedPayment(
  failed: { failure: string } | undefined,
  initialValue: Record<string, string>,
): SubmissionResult<string[]> | undefined {
  const [declined] = useState(
    (): SubmissionResult<string[]> | undefined =>
      failed && { status: "error", initialValue, error: { "": [failed.failure] } },
  );
  return declined;
}
