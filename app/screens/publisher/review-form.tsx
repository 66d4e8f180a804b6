import type { SubmissionResult } from "@conform-to/react";
import { Form, Link, useNavigation } from "@remix-run/react";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { rejectionReasonLabels, rejectionReasons } from "#app/domain/campaigns/campaign.ts";
import type { LineItemDetail } from "#app/domain/campaigns/get-line-item.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField, TextareaField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { formStateOf, listOf, textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Notice } from "#app/ui/notice.tsx";

type ReviewFormProps = {
  base: PortalBase;
  campaign: LineItemDetail;
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  closeTo: string;
  /** What is decided about; inside the form, so that its buttons stay in sight. */
  children: ReactNode;
};

/** A publisher's answer. What was typed stays when the answer could not be taken. */
export function ReviewForm({ base, campaign, refused, checks, closeTo, children }: ReviewFormProps) {
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const { values, errors } = fields;
  const navigation = useNavigation();
  const sending = navigation.state === "submitting" ? navigation.formData?.get("action") : undefined;
  const reasons = listOf(values, "reasons");
  return (
    <Form method="post" {...form.props} preventScrollReset>
      <input type="hidden" name="version" value={campaign.version} />
      <div className="dialog-body grid gap-5">
        {children}
        <Attention to={refused}>
          {refused ? <Refusal base={base} campaign={campaign} refused={refused} /> : null}
        </Attention>
        <TextareaField
          name="notes"
          label="Approval Notes (Optional)"
          placeholder="Add notes for the advertiser..."
          rows={3}
          defaultValue={textOf(values, "notes")}
          errors={errors.notes}
        />
        <details open={reasons.length > 0}>
          <summary className="link w-fit cursor-pointer">Reasons for a rejection</summary>
          <div className="pt-3">
            <ChoiceField
              type="checkbox"
              name="reasons"
              label="Reasons"
              hint="Sent with a rejection only, so that the advertiser knows what to change"
              columns
              options={rejectionReasons.map((value) => ({ value, label: rejectionReasonLabels[value] }))}
              chosen={reasons}
              errors={errors.reasons}
            />
          </div>
        </details>
      </div>
      <div className="dialog-foot">
        <LinkButton to={closeTo} variant="ghost" preventScrollReset>
          Close
        </LinkButton>
        <div className="actions">
          <Button
            name="action"
            value="reject"
            variant="danger"
            icon={X}
            busy={sending === "reject"}
            busyLabel="Rejecting..."
          >
            Reject
          </Button>
          <Button
            name="action"
            value="approve"
            variant="primary"
            icon={Check}
            busy={sending === "approve"}
            busyLabel="Approving..."
          >
            Approve
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** Why the answer was not taken, and what to do. */
function Refusal({
  base,
  campaign,
  refused,
}: Pick<ReviewFormProps, "base" | "campaign"> & { refused: SubmissionResult<string[]> }) {
  const { values, errors } = formStateOf(refused, {});
  const seen = textOf(values, "version");
  if (seen !== "" && seen !== String(campaign.version)) {
    return (
      <Notice tone="bad" title={errors[""]?.[0]}>
        Above is version {campaign.version}, which you have not decided yet. Your notes are kept: look at it, then
        approve or reject.
      </Notice>
    );
  }
  const messages = Object.values(errors).flatMap((list) => list ?? []);
  return (
    <Notice tone="bad" title={messages[0]}>
      {errors[""] ? (
        <>
          Your notes are kept.{" "}
          <Link className="link" to={portalHref(base, "/campaigns?filter=active")}>
            See your active campaigns
          </Link>
        </>
      ) : null}
    </Notice>
  );
}
