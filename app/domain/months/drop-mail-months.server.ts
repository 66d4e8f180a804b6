import { lt, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { reportSendings } from "#db/schema/index.ts";
import { addDays, calendarDateOf, firstOfMonth, firstOfNextMonth } from "../calendar-date.ts";
import type { Ctx, JobActor } from "../context.ts";
import { lowestIdAt, type ReportSendingId } from "../ids.ts";
import { retentionLimits } from "../privacy/retention.ts";

const countRow = z.object({ count: z.number() });

/**
 * Drops the months of mails whose first day is past their retention, with what mail servers reported about them and
 * what reports sent, whose list has the mails' results: no mail is older than `retentionDays` then, and the last ones
 * of a month are up to a month younger. A month that ended less than a week ago stays, because its mails may still be
 * sent (docs/decisions/0111). Fails without an effect while a table is locked. Returns how many partitions were
 * dropped.
 */
export async function dropMailMonths(
  ctx: Ctx<JobActor>,
  { retentionDays }: { retentionDays: number },
): Promise<number> {
  const today = calendarDateOf(ctx.clock());
  // The first month that begins with what is kept, and the one of a week ago.
  const kept = firstOfNextMonth(addDays(today, -retentionDays - 1));
  const current = firstOfMonth(addDays(today, -retentionLimits.min));
  const [before] = [kept, current].sort();
  const [dropped] = await queryRows(ctx.db, countRow, sql`select drop_mail_months(${before}::date) as count`);
  const lowestKept = lowestIdAt<ReportSendingId>(Date.parse(`${before}T00:00:00Z`));
  await ctx.db.delete(reportSendings).where(lt(reportSendings.id, lowestKept));
  return dropped?.count ?? 0;
}
