import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { contentLabels } from "#app/screens/shared/campaign-content-words.ts";
import { Notice } from "#app/ui/notice.tsx";

export type Rejection = { id: string; publisherName: string; notes: string | null };

/** What one must know while changing the campaign: who said no and why, and that what runs is not yet what one sees. */
export function WizardNotes({
  status,
  unsentFields,
  rejections,
}: Pick<CampaignDetail, "status" | "unsentFields"> & { rejections: readonly Rejection[] }) {
  return (
    <>
      {rejections.map(({ id, publisherName, notes }) => (
        <Notice key={id} tone="warn" title={`${publisherName} rejected this campaign`}>
          {notes ? <span className="whitespace-pre-line">“{notes}”</span> : "No notes were given."}
        </Notice>
      ))}
      {status === "draft" ? null : (
        <Notice tone="info" title="This campaign has been launched">
          Changes are saved here first. Send Changes on the last step sends them to the publishers for a new decision;
          until then {status === "pending" ? "they decide what was sent before" : "the approved version goes on"}.
          {unsentFields.length > 0 ? (
            <>
              {" "}
              Not sent yet: <strong>{unsentFields.map((field) => contentLabels[field]).join(", ")}</strong>.
            </>
          ) : null}
        </Notice>
      )}
    </>
  );
}
