import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import type { Invoice } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import type { FailedTopUp } from "#app/domain/billing/wallet/find-failed-top-up.server.ts";
import type { TopUpId } from "#app/domain/ids.ts";
import { centsToDollars, formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { PaymentsUnavailable } from "#app/screens/shared/billing/payments-unavailable.tsx";
import { Button } from "#app/ui/button.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { NoPaymentMethods, PaymentMethodField } from "../payment-method-field.tsx";
import { useDeclinedPayment } from "../use-declined-payment.ts";

/** The form that pays the invoice's open amount, or a link to the pending payment. */
export function PayInvoiceForm({
  base,
  invoice,
  paymentsEnabled,
  methods,
  method,
  failed,
  idempotencyKey,
  rejected,
  checks,
}: {
  base: PortalBase;
  invoice: Invoice & { paymentId: TopUpId | null };
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
  methods: readonly PaymentMethod[];
  /** The ID of the method that is selected at first; may be empty. */
  method: string;
  /** The payment that failed before, of which the form is the next attempt. */
  failed: Pick<FailedTopUp, "paymentMethodId" | "failure"> | undefined;
  idempotencyKey: string;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const declined = useDeclinedPayment(failed, { payment_method_id: failed?.paymentMethodId ?? "" });
  const stored = { payment_method_id: method };
  const { fields, ...form } = useCheckedForm({ checks, rejected: rejected ?? declined, stored });
  const { values, errors } = fields;
  const busy = useNavigation().state !== "idle";
  if (invoice.paymentId) {
    return (
      <Notice title="A payment for this invoice is processing">
        <Link className="link" to={portalHref(base, `/billing/top-ups/${invoice.paymentId}`)}>
          Check its status
        </Link>
        , and confirm it if your bank asks.
      </Notice>
    );
  }
  if (!paymentsEnabled) return <PaymentsUnavailable />;
  if (methods.length === 0) return <NoPaymentMethods base={base} />;
  const chosen = fieldText(values, "payment_method_id");
  // The amount is hidden.
  const listed = toSummaryErrors(form.summary.errors, ["payment_method_id"]);
  return (
    <Form method="post" {...form.props} className="stack">
      <FormSummary {...form.summary} listed={listed} />
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <input type="hidden" name="amount" value={centsToDollars(invoice.open)} />
      <Card title="Pay this invoice">
        <div className="form-grid">
          <PaymentMethodField methods={methods} chosen={chosen} errors={errors.payment_method_id} />
          <div className="actions">
            <Button variant="primary" icon="credit-card" busy={busy} busyLabel="Paying...">
              {`Pay ${formatCents(invoice.open)}`}
            </Button>
          </div>
        </div>
      </Card>
    </Form>
  );
}
