import { z } from "zod";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { type CalendarMonth, calendarMonthOf, parseCalendarMonth } from "#app/domain/calendar-month.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { tenantCall } from "../call.server.ts";
import { pageAnswer, pageQuery, wire } from "../wire.ts";

const monthSchema = z
  .string()
  .transform((text, ctx): CalendarMonth => {
    const month = parseCalendarMonth(text);
    if (month) return month;
    ctx.addIssue({ code: "custom", message: "Enter a month as YYYY-MM" });
    return z.NEVER;
  })
  .optional()
  .describe("YYYY-MM, a month of UTC days; the present one unless said otherwise");

/** Calls about where an account stands. */
export const statementCalls = {
  "GET /api/billing/statements": tenantCall({
    summary: "A month of the account: an advertiser's wallet less what it owes, or what a publisher is owed",
    query: z.object({ month: monthSchema, ...pageQuery }),
    answer: z.object({
      statement: z.object({
        month: z.string(),
        opening: wire.dollars,
        lines: z.array(
          z.object({
            id: wire.id,
            type: z.string().describe("The event of the ledger: campaign_spend, top_up, payout_started …"),
            description: z.string().nullable(),
            amount: wire.dollars.describe(
              "Positive for the account's good. All lines of a month are closing − opening",
            ),
            created_at: wire.time,
          }),
        ),
        closing: wire.dollars,
      }),
      ...pageAnswer,
    }),
    run: async ({ ctx, query }) => {
      const month = query.month ?? calendarMonthOf(ctx.clock());
      const { opening, closing, rows, nextCursor } = await getStatement(ctx, { ...query, month });
      const lines = rows.map(({ id, event, at, description, amount }) => {
        return { id, type: event, description, amount: dollarsOf(amount), created_at: at.toISOString() };
      });
      const statement = { month, opening: dollarsOf(opening), lines, closing: dollarsOf(closing) };
      return { statement, next_cursor: nextCursor };
    },
  }),
};
