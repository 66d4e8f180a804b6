import { eq } from "drizzle-orm";
import { mailSettings } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { UserId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { getMailSettings } from "./get-mail-settings.server.ts";
import { isOptionalMail, mailEventsFor } from "./mail-kinds.ts";
import type { MailSettingsInput } from "./mail-settings-payloads.ts";
import type { NotificationEvent } from "./notification.ts";

/**
 * Updates the mail settings of a user of the account. Mandatory mails are sent regardless. An event that is as it was
 * when the form was opened stays as it is by now: the person may have unsubscribed since, by the link in a mail.
 */
export async function updateMailSettings(
  ctx: Ctx<TenantActor>,
  { userId, delivery, time_zone, events, opened_events }: { userId: UserId } & MailSettingsInput,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.insert(mailSettings).values({ userId }).onConflictDoNothing();
    await tx.db
      .select({ id: mailSettings.userId })
      .from(mailSettings)
      .where(eq(mailSettings.userId, userId))
      .for("update");
    const before = await getMailSettings(tx, { userId });
    const choices = mailEventsFor(tx.actor.kind).filter(isOptionalMail);
    const opened = opened_events?.split(" ");
    const isUntouched = (event: NotificationEvent) => opened?.includes(event) === events.includes(event);
    const isOn = (event: NotificationEvent) => (isUntouched(event) ? before.events : events).includes(event);
    const after = { delivery, time_zone, events: choices.filter(isOn) };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const muted = choices.filter((event) => !after.events.includes(event));
    await tx.db
      .update(mailSettings)
      .set({ delivery, timeZone: time_zone, muted })
      .where(eq(mailSettings.userId, userId));
    await recordAudit(tx, {
      action: "user.mail_settings_changed",
      entity: "user",
      entityId: userId,
      accountId: tx.actor.accountId,
      before,
      after,
    });
  });
}
