import { channelLabels } from "#app/domain/campaigns/campaign.ts";
import { type DeliveryState, deliveryReasonLabels } from "#app/domain/campaigns/may-deliver.ts";
import type { CampaignChannel } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import type { OrderStanding } from "#app/domain/delivery/channels/order.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { type Column, DataTable } from "#app/ui/table.tsx";
import type { ShownLineItem } from "./line-item-table.tsx";

type Row = CampaignChannel & { delivery: DeliveryState | undefined };

/** How it stands with each channel: delivering, waiting, or failed and when it is tried again. */
export function ChannelTable({
  channels,
  lineItems,
}: {
  channels: readonly CampaignChannel[];
  lineItems: readonly ShownLineItem[];
}) {
  const deliveries = new Map(lineItems.map((item) => [item.id, item.delivery]));
  const rows = channels.map((channel) => ({ ...channel, delivery: deliveries.get(channel.lineItemId) }));
  return <DataTable caption="Channels" columns={columns} rows={rows} />;
}

const columns: Column<Row>[] = [
  {
    head: "Channel",
    wide: true,
    cell: ({ channel }) => <strong className="text-ink">{channelLabels[channel]}</strong>,
  },
  { head: "Publisher", cell: ({ publisherName }) => publisherName },
  {
    head: "State",
    cell: (row) => {
      const { tone, label, words } = wordsOf(row);
      return (
        <>
          <Badge tone={tone}>{label}</Badge>
          <small>{words}</small>
        </>
      );
    },
  },
];

const tones: Record<OrderStanding, BadgeTone> = {
  delivering: "good",
  waiting: "violet",
  failed: "bad",
  stopping: "warn",
  stopped: "neutral",
};
const labels: Record<OrderStanding, string> = {
  delivering: "Delivering",
  waiting: "Waiting",
  failed: "Failed",
  stopping: "Stopping",
  stopped: "Stopped",
};

function wordsOf(row: Row): { tone: BadgeTone; label: string; words: string } {
  const { standing, delivery } = row;
  // The channel is ready; whether anything is to run today is another matter.
  if (standing === "delivering" && delivery && !delivery.may) {
    return { tone: "info", label: "Ready", words: deliveryReasonLabels[delivery.reason] };
  }
  const why = standing === "stopped" && delivery && !delivery.may ? deliveryReasonLabels[delivery.reason] : undefined;
  return { tone: tones[standing], label: labels[standing], words: why ?? whatNext(row) };
}

function whatNext({ standing, failures, wantedVersion, runningVersion, triedAgainAt }: Row): string {
  if (standing === "delivering") return `Version ${wantedVersion}`;
  if (standing === "stopped") return "Nothing is delivered there";
  const goesOn = runningVersion === null ? "" : `. Version ${runningVersion} goes on until then`;
  const again = triedAgainAt ? formatInstant(triedAgainAt) : "shortly";
  if (failures === 0) return `The channel is told within a minute${goesOn}`;
  if (standing === "waiting") return `Not set up there yet; looked at again ${again}${goesOn}`;
  return `The channel did not take it; tried again ${again}${goesOn}`;
}
