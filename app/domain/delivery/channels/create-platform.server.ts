import type { ConnectionId } from "#app/domain/ids.ts";
import { DecryptionError, decrypt } from "#app/encryption.server.ts";
import { apiOrigin } from "#app/outbound/api-origin.server.ts";
import type { RetryPolicy } from "#app/outbound/send-with-retry.server.ts";
import type { ChannelClientConfig } from "./call-channel.server.ts";
import { type ChannelCredentials, channelCredentialsSchema } from "./channel-credentials.ts";
import { ChannelError, describeChannelProblem } from "./channel-problem.ts";
import { type ConnectableChannel, connectableLabels } from "./connectable.ts";
import { googlePlatform } from "./google/google-platform.server.ts";
import { metaPlatform } from "./meta/meta-platform.server.ts";
import type { Platform } from "./platform.ts";

type Options = { retryPolicy?: RetryPolicy; onResult?: ChannelClientConfig["onResult"] };

/** Creates the client of a platform with credentials that may not be stored yet. */
export function createPlatform(credentials: ChannelCredentials, options: Options = {}): Platform {
  switch (credentials.channel) {
    case "google": {
      const origins = {
        ads: apiOrigin("googleAds"),
        dataManager: apiOrigin("googleDataManager"),
        token: apiOrigin("googleSignIn"),
      };
      return googlePlatform(credentials, { origins, ...options });
    }
    case "meta":
      return metaPlatform(credentials, { origin: apiOrigin("meta"), ...options });
  }
}

/** The encryption context of a channel's credentials: a copy in another row cannot be decrypted. */
export function channelEncryptionContext({ id, channel }: { id: ConnectionId; channel: ConnectableChannel }): string {
  return `channel_connections/${channel}/${id}`;
}

/** Decrypts stored credentials. Throws a ChannelError. */
export function decryptCredentials(row: {
  id: ConnectionId;
  channel: ConnectableChannel;
  credential: Buffer;
}): ChannelCredentials {
  const message = describeChannelProblem(connectableLabels[row.channel], "cannot_decrypt");
  try {
    const stored = channelCredentialsSchema.safeParse(
      JSON.parse(decrypt(row.credential, channelEncryptionContext(row))),
    );
    if (stored.success) return stored.data;
    // An earlier version of Endcap stored them in another format.
    throw new ChannelError(message, { problem: "cannot_decrypt" });
  } catch (error) {
    if (error instanceof DecryptionError) throw new ChannelError(message, { problem: "cannot_decrypt" });
    throw error;
  }
}
