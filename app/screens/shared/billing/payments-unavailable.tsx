import { Notice } from "#app/ui/notice.tsx";

/** Shown while no payment provider is configured; only the operator can configure one. */
export function PaymentsUnavailable() {
  return (
    <Notice tone="warn" title="Payments are not set up">
      No payment provider is connected yet, so you can't make payments.
    </Notice>
  );
}
