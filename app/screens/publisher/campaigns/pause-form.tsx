import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { useFormFetcher } from "#app/ui/link.tsx";

type Pausable = Pick<
  PublisherCampaign,
  "id" | "name" | "status" | "approvalStatus" | "pausedByPublisher" | "pausedByAdvertiser"
>;

/** A Pause button if the line item runs, or Resume if this publisher paused it. A row of a list has an icon. */
export function PauseResumeForm({ campaign, inRow = false }: { campaign: Pausable; inRow?: boolean }) {
  const fetcher = useFormFetcher({ key: keyOf(campaign) });
  const shown = useOptimisticState(campaign);
  // The status beside it says that the advertiser paused it.
  if (shown.status === "paused" && !shown.pausedByPublisher) return null;
  if (shown.status !== "active" && shown.status !== "paused") return null;
  const intent = shown.status === "active" ? "pause" : "resume";
  return (
    <fetcher.Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={campaign.id} />
      {inRow ? (
        <IconButton
          name="intent"
          value={intent}
          label={labels[intent]}
          itemName={campaign.name}
          icon={intent}
          aria-disabled={fetcher.state === "submitting" || undefined}
        />
      ) : (
        <Button
          name="intent"
          value={intent}
          icon={intent === "pause" ? "pause" : "play"}
          busy={fetcher.state === "submitting"}
        >
          {labels[intent]}
          <span className="sr-only"> {campaign.name}</span>
        </Button>
      )}
    </fetcher.Form>
  );
}

const labels = { pause: "Pause", resume: "Resume" };

/** Returns the optimistic state of a pending pause or resume; revalidation corrects it. */
export function useOptimisticState(campaign: Pausable): Pick<Pausable, "status" | "pausedByPublisher"> {
  const intent = useFormFetcher({ key: keyOf(campaign) }).formData?.get("intent");
  if (intent === "pause") return { status: "paused", pausedByPublisher: true };
  if (intent === "resume")
    return { status: campaign.pausedByAdvertiser ? "paused" : "active", pausedByPublisher: false };
  return campaign;
}

function keyOf({ id }: Pausable): string {
  return `pause-${id}`;
}
