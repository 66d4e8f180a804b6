import type { SubmissionResult } from "@conform-to/react";
import { Form, Link, useNavigation } from "@remix-run/react";
import { CreditCard } from "lucide-react";
import type { Invoice } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import type { TopUpId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { PaymentsNotSetUp } from "#app/screens/shared/billing/payments-not-set-up.tsx";
import { Button } from "#app/ui/button.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { MethodChoice, NoMethods } from "../wallet/method-choice.tsx";

/** The form that pays what is open; while a payment is on its way, the way to it. */
export function PayInvoice({
  base,
  invoice,
  setUp,
  methods,
  formKey,
  refused,
  checks,
}: {
  base: PortalBase;
  invoice: Invoice & { paymentId: TopUpId | null };
  /** Somebody takes payments here. */
  setUp: boolean;
  methods: readonly PaymentMethod[];
  formKey: string;
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const { values, errors } = fields;
  const busy = useNavigation().state !== "idle";
  if (invoice.paymentId) {
    return (
      <Notice title="A payment of this invoice is on its way">
        <Link className="link" to={portalHref(base, `/billing/top-ups/${invoice.paymentId}`)}>
          See how it stands
        </Link>
        , and confirm it if your bank asks.
      </Notice>
    );
  }
  if (!setUp) return <PaymentsNotSetUp />;
  if (methods.length === 0) return <NoMethods base={base} />;
  const chosen = textOf(values, "payment_method_id") || methods[0]?.id;
  return (
    <Form method="post" {...form.props} reloadDocument className="stack">
      <FormSummary {...form.summary} />
      <input type="hidden" name="idempotency_key" value={formKey} />
      <Card title="Pay this invoice">
        <div className="form-grid">
          <MethodChoice methods={methods} chosen={chosen} errors={errors.payment_method_id} />
          <div className="actions">
            <Button variant="primary" icon={CreditCard} busy={busy} busyLabel="Paying...">
              {`Pay ${formatCents(invoice.open)}`}
            </Button>
          </div>
        </div>
      </Card>
    </Form>
  );
}
