import { eq } from "drizzle-orm";
import { encrypt } from "#app/encryption.server.ts";
import { channelConnections } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type ConnectionId, newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { ChannelCredentials } from "./channel-credentials.ts";
import { ChannelError, describeChannelProblem } from "./channel-problem.ts";
import { connectableLabels } from "./connectable.ts";
import { channelEncryptionContext, createPlatform } from "./create-platform.server.ts";
import type { PlatformAccount } from "./platform.ts";
import { endUnfinishedRemoval, resetActivations } from "./reset-activations.server.ts";

/**
 * Connects an account to a channel after verifying the credentials; new credentials for the same account replace the
 * old ones. Running line items are then activated on the channel instead of the sandbox. Throws `invalid_input` with
 * the channel's problem, and `invalid_transition` while another account is connected.
 */
export async function connectChannel(
  ctx: Ctx<OperatorActor>,
  credentials: ChannelCredentials,
): Promise<{ account: string; timeZone: string }> {
  const { channel } = credentials;
  const { id: account, timeZone } = await verifyCredentials(credentials);
  await inTransaction(ctx, async (tx) => {
    const [earlier] = await tx.db
      .delete(channelConnections)
      .where(eq(channelConnections.channel, channel))
      .returning({ account: channelConnections.account });
    if (earlier && earlier.account !== account) {
      throw new DomainError(
        "invalid_transition",
        `Account ${earlier.account} is already connected. Disconnect ${channel} first.`,
      );
    }
    // The credentials are encrypted for this row's ID, so a copy in another row cannot be decrypted.
    const id = newId<ConnectionId>();
    const now = tx.clock();
    await tx.db.insert(channelConnections).values({
      channel,
      id,
      account,
      timeZone,
      checkedAt: now,
      connectedAt: now,
      connectedBy: tx.actor.name,
      credential: encrypt(JSON.stringify(credentials), channelEncryptionContext({ id, channel })),
    });
    await (earlier ? endUnfinishedRemoval : resetActivations)(tx, channel);
    await recordAudit(tx, {
      action: "channel.connected",
      entity: "connection",
      entityId: id,
      after: { channel, account },
    });
  });
  return { account, timeZone };
}

/** Returns the account of the credentials. Only US dollar accounts are accepted. */
async function verifyCredentials(credentials: ChannelCredentials): Promise<PlatformAccount> {
  const label = connectableLabels[credentials.channel];
  try {
    const account = await createPlatform(credentials, {
      retryPolicy: { maxAttempts: 2, maxDelayMs: 2_000 },
    }).getAccount();
    if (account.currency !== "USD") throw new ChannelError(describeChannelProblem(label, "unsupported_currency"));
    if (!isTimeZone(account.timeZone)) throw new ChannelError(describeChannelProblem(label, "unexpected_response"));
    return account;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    throw new DomainError("invalid_input", error.message);
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
