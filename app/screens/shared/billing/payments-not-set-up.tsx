import { CreditCard } from "lucide-react";
import { Card, EmptyState } from "#app/ui/layout.tsx";

/** Where nobody takes payments yet: it is for the operator to say who does. */
export function PaymentsNotSetUp() {
  return (
    <Card>
      <EmptyState icon={CreditCard} title="Payments are not set up">
        No payment provider is connected to this installation yet, so nothing can be paid here.
      </EmptyState>
    </Card>
  );
}
