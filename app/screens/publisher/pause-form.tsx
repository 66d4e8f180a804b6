import { useFetcher } from "@remix-run/react";
import { Pause, Play } from "lucide-react";
import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { Button } from "#app/ui/button.tsx";

type Pausable = Pick<
  PublisherCampaign,
  "id" | "name" | "status" | "approvalStatus" | "pausedByPublisher" | "pausedByAdvertiser"
>;

/** Pause where it runs, resume where this publisher paused; of an advertiser's pause it says so. */
export function PauseForm({ campaign }: { campaign: Pausable }) {
  const fetcher = useFetcher({ key: keyOf(campaign) });
  const shown = useShownState(campaign);
  if (shown.status === "paused" && !shown.pausedByPublisher) {
    return <span className="hint">Paused by the advertiser</span>;
  }
  if (shown.status !== "active" && shown.status !== "paused") return null;
  const intent = shown.status === "active" ? "pause" : "resume";
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="id" value={campaign.id} />
      <Button
        name="intent"
        value={intent}
        icon={intent === "pause" ? Pause : Play}
        disabled={fetcher.state === "submitting"}
      >
        {intent === "pause" ? "Pause" : "Resume"}
        <span className="sr-only"> {campaign.name}</span>
      </Button>
    </fetcher.Form>
  );
}

/** The state with what was just asked for taken as done; the answer sets it right. */
export function useShownState(campaign: Pausable): Pick<Pausable, "status" | "pausedByPublisher"> {
  const intent = useFetcher({ key: keyOf(campaign) }).formData?.get("intent");
  if (intent === "pause") return { status: "paused", pausedByPublisher: true };
  if (intent === "resume")
    return { status: campaign.pausedByAdvertiser ? "paused" : "active", pausedByPublisher: false };
  return campaign;
}

function keyOf({ id }: Pausable): string {
  return `pause-${id}`;
}
