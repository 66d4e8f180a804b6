import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import type { Decision } from "#app/domain/campaigns/list-decisions.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { DecisionDetails } from "#app/screens/publisher/campaigns/decision-history.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { fieldText, toFormState } from "#app/ui/form/form-values.ts";
import { Notice } from "#app/ui/notice.tsx";

/**
 * What was decided. `rejected` is a later decision that was rejected: its notes are shown, because they were not sent.
 */
export function ReviewResult({
  base,
  campaign,
  decision,
  rejected,
  closeTo,
  children,
}: {
  base: PortalBase;
  campaign: LineItemDetail;
  decision: Decision | undefined;
  rejected: SubmissionResult<string[]> | undefined;
  closeTo: string;
  children: ReactNode;
}) {
  const { values, errors } = toFormState(rejected, {});
  const unsent = fieldText(values, "notes");
  return (
    <>
      <div className="dialog-body grid gap-5">
        {children}
        <FocusOnChange to={rejected}>
          {rejected ? (
            <Notice tone="bad" title={errors[""]?.[0] ?? "Your decision was not saved"}>
              {unsent ? (
                <>
                  Your notes were not sent: <q className="whitespace-pre-line">{unsent}</q>
                </>
              ) : (
                "See the current decision below."
              )}
            </Notice>
          ) : null}
        </FocusOnChange>
        <div className="rounded-[10px] bg-sunken px-4 py-3">
          <strong className="font-semibold">{headline(campaign, decision)}</strong>
          {decision ? <DecisionDetails decision={decision} /> : null}
        </div>
      </div>
      <div className="dialog-footer">
        <LinkButton to={closeTo} variant="ghost" preventScrollReset>
          Close
        </LinkButton>
        <LinkButton to={portalHref(base, `/campaigns/${campaign.id}`)}>Open campaign</LinkButton>
      </div>
    </>
  );
}

function headline(
  { approvalStatus, managedByRetailer, hasEndedUndecided }: LineItemDetail,
  decision: Decision | undefined,
): string {
  if (hasEndedUndecided) return "This campaign ended before your decision";
  if (approvalStatus === "withdrawn") return "The advertiser no longer uses your audiences";
  if (managedByRetailer && decision?.version === 1) return "You created this campaign";
  return `You ${statusLabels[approvalStatus].toLowerCase()} this campaign`;
}
