import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { rejectionReasonLabels, rejectionReasons } from "#app/domain/campaigns/campaign.ts";
import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { SeePlansInNewTab } from "#app/screens/publisher/subscription/see-plans-link.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { CheckboxField, ChoiceField, TextareaField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { fieldText, fieldValues, toFormState } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useReviewDraft } from "./use-review-draft.ts";

/** A decision that was rejected; `exceedsPlan` if the publisher's plan allows no more campaigns. */
type RejectedReview = SubmissionResult<string[]> & { exceedsPlan?: boolean };

type ReviewFormProps = {
  base: PortalBase;
  campaign: Pick<LineItemDetail, "lineItemId" | "version">;
  rejected: RejectedReview | undefined;
  checks: FormChecks;
  closeTo: string;
  /** What is being reviewed; inside the form, so that its fields and buttons stay visible. */
  children: ReactNode;
};

/**
 * The form of a publisher's decision; its fields and buttons stay in view. A rejected submission keeps what was typed,
 * and so does a dialog that is closed and opened again.
 */
export function ReviewForm({ base, campaign, rejected, checks, closeTo, children }: ReviewFormProps) {
  const { stored, onInput } = useReviewDraft(campaign);
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const { values, errors } = fields;
  const sending = useNavigation().formData?.get("action");
  const reasons = fieldValues(values, "reasons");
  const isWithoutReason = fieldText(values, "without_reason") === "on";
  const isShownAtField = Object.keys(rejected?.error ?? {}).every((name) => name === "notes" || name === "reasons");
  const notice = isShownAtField ? undefined : rejected;
  return (
    <Form method="post" {...form.props} onInput={onInput} preventScrollReset>
      {/* The button that Enter in a checkbox presses: no decision is made by it. */}
      <button type="submit" hidden />
      <input type="hidden" name="version" value={campaign.version} />
      <div className="dialog-body grid gap-5">
        {children}
        <FocusOnChange to={rejected}>
          {notice ? <ReviewNotice base={base} campaign={campaign} rejected={notice} /> : null}
        </FocusOnChange>
      </div>
      <div className="dialog-foot">
        <div className="dialog-decision">
          <details open={reasons.length > 0 || isWithoutReason || rejected?.error?.notes != null}>
            <summary className="link w-fit cursor-pointer">Rejection reasons</summary>
            <div className="pt-2">
              <ChoiceField
                type="checkbox"
                name="reasons"
                label="Reasons"
                hint="Sent only if you reject, so the advertiser knows what to change"
                columns
                options={rejectionReasons.map((value) => ({ value, label: rejectionReasonLabels[value] }))}
                selected={reasons}
                errors={errors.reasons}
              />
            </div>
            <div className="pt-2">
              <CheckboxField name="without_reason" label="Reject without a reason" defaultChecked={isWithoutReason} />
            </div>
          </details>
          <TextareaField
            name="notes"
            label="Approval Notes (Optional)"
            placeholder="Add notes for the advertiser..."
            hint={errors.notes ? undefined : "To reject, choose a reason or write a note."}
            rows={2}
            defaultValue={fieldText(values, "notes")}
            errors={errors.notes}
          />
        </div>
        <div className="dialog-footer">
          <LinkButton to={closeTo} variant="ghost" preventScrollReset>
            Close
          </LinkButton>
          <div className="actions">
            <Button
              name="action"
              value="reject"
              variant="danger"
              icon="x"
              busy={sending === "reject"}
              busyLabel="Rejecting..."
            >
              Reject
            </Button>
            <Button
              name="action"
              value="approve"
              variant="primary"
              icon="check"
              busy={sending === "approve"}
              busyLabel="Approving..."
            >
              Approve
            </Button>
          </div>
        </div>
      </div>
    </Form>
  );
}

/** Why the decision was rejected, and what to do. */
function ReviewNotice({
  base,
  campaign,
  rejected,
}: Pick<ReviewFormProps, "base" | "campaign"> & { rejected: RejectedReview }) {
  const { values, errors } = toFormState(rejected, {});
  const reviewedVersion = fieldText(values, "version");
  if (reviewedVersion !== "" && reviewedVersion !== String(campaign.version)) {
    return (
      <Notice tone="bad" title={errors[""]?.[0]}>
        Version {campaign.version} above is new. Review it, then approve or reject it. Your notes are still in the form.
      </Notice>
    );
  }
  const messages = Object.values(errors).flatMap((list) => list ?? []);
  return (
    <Notice tone="bad" title={errors[""]?.[0] ?? messages[0]}>
      Your notes are still in the form.{" "}
      {rejected.exceedsPlan ? (
        <>
          <SeePlansInNewTab base={base} />, or{" "}
          <Link className="link" to={portalHref(base, "/campaigns?filter=active")}>
            view active campaigns
          </Link>
          .
        </>
      ) : null}
    </Notice>
  );
}
