import { z } from "zod";
import { adjustedMonthOnWire } from "#app/domain/billing/adjustment.ts";
import type { LedgerEvent } from "#app/domain/billing/ledger/ledger.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { type CalendarMonth, calendarMonthOf, parseCalendarMonth } from "#app/domain/calendar-month.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { adjustedMonthSchema } from "../adjusted-month-schema.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { pageQuery, pageResponse, wire } from "../wire.ts";

const monthSchema = z
  .string()
  .transform((text, ctx): CalendarMonth => {
    const month = parseCalendarMonth(text);
    if (month) return month;
    ctx.addIssue({ code: "custom", message: "Enter a month as YYYY-MM" });
    return z.NEVER;
  })
  .optional()
  .describe("Month (UTC), YYYY-MM. Defaults to the current month");

/** The published type of a ledger event. It stays when the event's own code changes. */
function publishedType(event: LedgerEvent): string {
  return event === "payment_reversed" ? "payment_taken_back" : event;
}

/** Account statement endpoints. */
export const statementEndpoints = {
  "GET /api/billing/statements": tenantEndpoint({
    summary: "Get a monthly statement: an advertiser's balance less what it owes, or a publisher's unpaid earnings",
    query: z.object({ month: monthSchema, ...pageQuery }),
    response: z.object({
      statement: z.object({
        month: z.string(),
        opening: wire.dollars,
        lines: z.array(
          z.object({
            id: wire.id,
            type: z.string().describe("Ledger event type, such as campaign_spend, top_up or payout_started"),
            description: z.string().nullable(),
            adjusts_month: adjustedMonthSchema,
            amount: wire.dollars.describe(
              "Positive amounts increase the balance. Lines sum to closing minus opening balance",
            ),
            created_at: wire.time,
          }),
        ),
        closing: wire.dollars,
      }),
      ...pageResponse,
    }),
    run: async ({ ctx, query }) => {
      const month = query.month ?? calendarMonthOf(ctx.clock());
      const { opening, closing, rows, nextCursor } = await getStatement(ctx, { ...query, month });
      const lines = rows.map(({ id, event, at, description, adjustsMonth, amount }) => {
        return {
          id,
          type: publishedType(event),
          description,
          adjusts_month: adjustedMonthOnWire(adjustsMonth),
          amount: centsToDollars(amount),
          created_at: at.toISOString(),
        };
      });
      const statement = { month, opening: centsToDollars(opening), lines, closing: centsToDollars(closing) };
      return { statement, next_cursor: nextCursor };
    },
  }),
};
