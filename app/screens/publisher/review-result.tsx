import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { statusLabels } from "#app/domain/campaigns/campaign.ts";
import type { LineItemDetail } from "#app/domain/campaigns/get-line-item.server.ts";
import type { Decision } from "#app/domain/campaigns/list-decisions.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formStateOf, textOf } from "#app/ui/form/form-values.ts";
import { Notice } from "#app/ui/notice.tsx";
import { DecisionWords } from "./decisions.tsx";

/** What was decided. With `refused`, an answer that came after it: its notes are shown, for they were not sent. */
export function ReviewResult({
  base,
  campaign,
  decision,
  refused,
  closeTo,
  children,
}: {
  base: PortalBase;
  campaign: LineItemDetail;
  decision: Decision | undefined;
  refused: SubmissionResult<string[]> | undefined;
  closeTo: string;
  children: ReactNode;
}) {
  const { values, errors } = formStateOf(refused, {});
  const unsent = textOf(values, "notes");
  return (
    <>
      <div className="dialog-body grid gap-5">
        {children}
        <Attention to={refused}>
          {refused ? (
            <Notice tone="bad" title={errors[""]?.[0] ?? "Your answer could not be taken"}>
              {unsent ? (
                <>
                  Your notes were not sent: <q className="whitespace-pre-line">{unsent}</q>
                </>
              ) : (
                "The decision is below."
              )}
            </Notice>
          ) : null}
        </Attention>
        <div className="rounded-[10px] bg-sunken px-4 py-3">
          <strong className="font-semibold">{headline(campaign, decision)}</strong>
          {decision ? <DecisionWords decision={decision} /> : null}
        </div>
      </div>
      <div className="dialog-foot">
        <LinkButton to={closeTo} variant="ghost" preventScrollReset>
          Close
        </LinkButton>
        <LinkButton to={portalHref(base, `/campaigns/${campaign.id}`)}>Open campaign</LinkButton>
      </div>
    </>
  );
}

function headline({ approvalStatus, managedByRetailer }: LineItemDetail, decision: Decision | undefined): string {
  if (approvalStatus === "withdrawn") return "The advertiser no longer uses your audiences";
  if (managedByRetailer && decision?.version === 1) return "You created this campaign";
  return `You ${statusLabels[approvalStatus].toLowerCase()} this campaign`;
}
