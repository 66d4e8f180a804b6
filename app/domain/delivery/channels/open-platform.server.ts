import { apiOrigin } from "#app/outbound/api-origin.server.ts";
import type { Patience } from "#app/outbound/send-patiently.server.ts";
import { SealError, unseal } from "#app/sealed.server.ts";
import type { ConnectionId } from "../../ids.ts";
import type { ChannelLine } from "./ask-channel.server.ts";
import { type ChannelCredentials, channelCredentialsSchema } from "./channel-credentials.ts";
import { ChannelError, wordsOfProblem } from "./channel-problem.ts";
import { type ConnectableChannel, connectableLabels } from "./connectable.ts";
import { googlePlatform } from "./google/google-platform.server.ts";
import { metaPlatform } from "./meta/meta-platform.server.ts";
import type { Platform } from "./platform.ts";

type Options = { patience?: Patience; note?: ChannelLine["note"] };

/** The way to a platform with credentials that may not be stored yet. */
export function platformOf(credentials: ChannelCredentials, options: Options = {}): Platform {
  switch (credentials.channel) {
    case "google": {
      const origins = { ads: apiOrigin("googleAds"), token: apiOrigin("googleSignIn") };
      return googlePlatform(credentials, { origins, ...options });
    }
    case "meta":
      return metaPlatform(credentials, { origin: apiOrigin("meta"), ...options });
  }
}

/** Where a channel's credentials are sealed for: a copy in another row cannot be opened. */
export function placeOf({ id, channel }: { id: ConnectionId; channel: ConnectableChannel }): string {
  return `channel_connections/${channel}/${id}`;
}

/** What was stored. Throws a ChannelError. */
export function readCredentials(row: {
  id: ConnectionId;
  channel: ConnectableChannel;
  credential: Buffer;
}): ChannelCredentials {
  const words = wordsOfProblem(connectableLabels[row.channel], "sealed");
  try {
    const stored = channelCredentialsSchema.safeParse(JSON.parse(unseal(row.credential, placeOf(row))));
    if (stored.success) return stored.data;
    // As an earlier version of ours stored it.
    throw new ChannelError(words, { problem: "sealed" });
  } catch (error) {
    if (error instanceof SealError) throw new ChannelError(words, { problem: "sealed" });
    throw error;
  }
}
