import { Notice } from "#app/ui/notice.tsx";

/** Where nobody takes payments yet: it is for the operator to say who does. */
export function PaymentsNotSetUp() {
  return (
    <Notice tone="warn" title="Payments are not set up">
      No payment provider is connected to this installation yet, so nothing can be paid here.
    </Notice>
  );
}
