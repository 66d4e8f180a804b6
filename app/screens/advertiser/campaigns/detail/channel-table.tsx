import { appName } from "#app/domain/branding.ts";
import { channelLabels } from "#app/domain/campaigns/campaign.ts";
import { describeStatusReason } from "#app/domain/campaigns/status/status-reason-copy.ts";
import type { ActivationStatus } from "#app/domain/delivery/channels/activation.ts";
import type { CampaignChannel } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import type { LineItemView } from "./line-item-table.tsx";

type Activation = CampaignChannel & { item: LineItemView | undefined };
type ShownStatus = { tone: BadgeTone; label: string; description: string };
type Row = CampaignChannel & { shown: ShownStatus };

/** The status of each channel: delivering, pending, or failed with the time of the next retry. */
export function ChannelTable({
  channels,
  lineItems,
}: {
  channels: readonly CampaignChannel[];
  lineItems: readonly LineItemView[];
}) {
  const { formatDateTime } = useTimeFormats();
  const items = new Map(lineItems.map((item) => [item.id, item]));
  const rows = channels.map((channel) => {
    const activation = { ...channel, item: items.get(channel.lineItemId) };
    const again = channel.retryAt ? formatDateTime(channel.retryAt) : "shortly";
    return { ...channel, shown: describeChannelStatus(activation, again) };
  });
  return <DataTable caption="Channels" columns={columns} rows={rows} />;
}

const columns: Column<Row>[] = [
  {
    header: "Channel",
    place: "title",
    wraps: true,
    cell: ({ channel, publisherName, shown }) => (
      <div className="flex items-center">
        <BrandMark brand={channel} />
        <div className="min-w-0">
          <RowTitle name={channelLabels[channel]} narrowDetail={publisherName} />
          {/* Where the status has room for its badge alone. */}
          <small className="only-narrow">{shown.description}</small>
        </div>
      </div>
    ),
  },
  {
    header: "Publisher",
    priority: 1,
    width: 170,
    cell: ({ publisherName }) => (
      <span className="cut" title={publisherName}>
        {publisherName}
      </span>
    ),
  },
  {
    header: "Status",
    place: "status",
    wraps: true,
    width: 320,
    cell: ({ shown: { tone, label, description } }) => (
      <>
        <Badge tone={tone}>{label}</Badge>
        <small>{description}</small>
      </>
    ),
  },
];

const tones: Record<ActivationStatus, BadgeTone> = {
  delivering: "good",
  waiting: "violet",
  failed: "bad",
  stopping: "warn",
  stopped: "neutral",
};
const labels: Record<ActivationStatus, string> = {
  delivering: "Delivering",
  waiting: "Pending",
  failed: "Failed",
  stopping: "Stopping",
  stopped: "Stopped",
};

/** `again` is when the next attempt is made. */
function describeChannelStatus(row: Activation, again: string): ShownStatus {
  const { status, item, isHeld } = row;
  const why = item && !item.delivery.eligible ? describeStatusReason(item.statusReason, "advertiser") : undefined;
  // The channel is ready, but the campaign may not be eligible to run today: by our date, or by that of the channel's
  // account.
  if (isHeld || (status === "delivering" && why))
    return {
      tone: "info",
      label: "Ready",
      description: why ?? "Runs on the days of its flight in the channel's time zone",
    };
  const isManaged = status === "delivering" && row.isManaged;
  const shown = isManaged
    ? ({ tone: "info", label: "Ready" } as const)
    : { tone: tones[status], label: labels[status] };
  const runsNothing = status === "stopped" || (status === "waiting" && row.runningVersion === null);
  const description = runsNothing && why ? why : describeNextStep(row, again);
  if (status === "stopped" || status === "stopping") return { ...shown, description };
  const { denied, all } = row.audiencesLeftOut;
  const noConsent = "The publisher stated that the people did not consent to ads on this channel";
  if (all) return { tone: "warn", label: "No consent", description: `${noConsent}. Choose other audiences` };
  if (denied > 0) {
    const leftOut = `${denied} ${denied === 1 ? "audience is" : "audiences are"} left out: no consent for this channel`;
    return { ...shown, description: `${description}. ${leftOut}` };
  }
  return { ...shown, description };
}

function describeNextStep(row: CampaignChannel, again: string): string {
  const { status, failures, desiredState, desiredVersion, runningVersion } = row;
  if (status === "delivering")
    return `Version ${desiredVersion}${row.isManaged ? `, run by ${appName}. Delivery shows once it is reported` : ""}`;
  if (status === "stopped") return "Not delivering on this channel";
  const goesOn = runningVersion === null ? "" : `. Version ${runningVersion} keeps running until then`;
  if (failures === 0) return `Sent to the channel within a minute${goesOn}`;
  if (status === "waiting") return `Not set up on the channel yet. Next check: ${again}${goesOn}`;
  if (desiredState === "paused") return `The pause failed, so it may still run there. Next attempt: ${again}`;
  return `The update failed. Next attempt: ${again}${goesOn}`;
}
