import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { RejectionText } from "#app/screens/advertiser/campaigns/rejection-text.tsx";
import { contentFieldLabel } from "#app/screens/shared/campaigns/campaign-content-copy.ts";
import { Notice } from "#app/ui/notice.tsx";

export type Rejection = {
  id: string;
  title: string;
  /** The reasons that the publisher selected, as a text. */
  reasons: string;
  notes: string | null;
};

/** Notices while editing: who rejected the campaign and why, and that the running version differs from the draft. */
export function WizardNotices({
  status,
  unsentFields,
  rejections,
}: Pick<CampaignDetail, "status" | "unsentFields"> & { rejections: readonly Rejection[] }) {
  return (
    <>
      {rejections.map(({ id, title, ...why }) => (
        <Notice key={id} tone="warn" title={title}>
          <RejectionText {...why} />
        </Notice>
      ))}
      {status === "draft" ? null : (
        <Notice tone="info" title="This campaign has been launched">
          Your changes are saved here first. On the last step, choose Send Changes to submit them for review. Until
          then, {status === "pending" ? "publishers review the previous version" : "the approved version keeps running"}
          .
          {unsentFields.length > 0 ? (
            <>
              {" "}
              Unsent changes: <strong>{unsentFields.map(contentFieldLabel).join(", ")}</strong>.
            </>
          ) : null}
        </Notice>
      )}
    </>
  );
}
