import { type Channel, channels } from "../../campaigns/campaign.ts";
import type { ChannelAdapter } from "./channel-adapter.ts";
import { sandboxChannel } from "./sandbox-channel.server.ts";

/** What stands behind a channel: the sandbox, until another is connected to it. */
export function adapterOf(_channel: Channel): ChannelAdapter {
  return sandboxChannel;
}

/** Each that stands behind a channel, once. */
export function channelAdapters(): Set<ChannelAdapter> {
  return new Set(channels.map(adapterOf));
}
