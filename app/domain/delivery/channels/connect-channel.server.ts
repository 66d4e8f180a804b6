import { eq } from "drizzle-orm";
import { seal } from "#app/sealed.server.ts";
import { channelConnections } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { type ConnectionId, newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import type { ChannelCredentials } from "./channel-credentials.ts";
import { ChannelError, wordsOfProblem } from "./channel-problem.ts";
import { connectableLabels } from "./connectable.ts";
import { placeOf, platformOf } from "./open-platform.server.ts";
import type { PlatformAccount } from "./platform.ts";
import { tellAnew } from "./tell-anew.server.ts";

/**
 * Puts an account behind a channel, with credentials that were tried first; new ones for the same account take the place of the
 * old. What the sandbox did for running line items is told to the channel now. Throws `invalid_input` with what the channel
 * said, and `invalid_transition` while another account is connected.
 */
export async function connectChannel(
  ctx: Ctx<OperatorActor>,
  credentials: ChannelCredentials,
): Promise<{ account: string; timeZone: string }> {
  const { channel } = credentials;
  const { id: account, timeZone } = await tryOut(credentials);
  await inTransaction(ctx, async (tx) => {
    const [earlier] = await tx.db
      .delete(channelConnections)
      .where(eq(channelConnections.channel, channel))
      .returning({ account: channelConnections.account });
    if (earlier && earlier.account !== account) {
      throw new DomainError(
        "invalid_transition",
        `Account ${earlier.account} is connected; disconnect ${channel} first`,
      );
    }
    // Sealed for its row's id: an earlier row goes with its id.
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
      credential: seal(JSON.stringify(credentials), placeOf({ id, channel })),
    });
    if (!earlier) await tellAnew(tx, channel);
    await recordAudit(tx, {
      action: "channel.connected",
      entity: "connection",
      entityId: id,
      after: { channel, account },
    });
  });
  return { account, timeZone };
}

/** The account that the credentials lead to; nothing but US dollars is accounted for. */
async function tryOut(credentials: ChannelCredentials): Promise<PlatformAccount> {
  const label = connectableLabels[credentials.channel];
  try {
    const account = await platformOf(credentials, { patience: { tries: 2, longestPause: 2_000 } }).getAccount();
    if (account.currency !== "USD") throw new ChannelError(wordsOfProblem(label, "other_currency"));
    if (!isTimeZone(account.timeZone)) throw new ChannelError(wordsOfProblem(label, "unreadable"));
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
