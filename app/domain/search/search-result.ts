import { z } from "zod";
import { segments } from "../audiences/audience.ts";
import { payoutStatuses } from "../billing/payouts/payout.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { CalendarMonth } from "../calendar-month.ts";
import { approvalStatuses, campaignStatuses, lineItemStatuses } from "../campaigns/campaign.ts";
import { creativeTypes } from "../creatives/creative.ts";
import { asCents } from "../money.ts";

/** What a search finds. Pure. */

/** The longest text that is searched; a longer one finds nothing. */
export const maxSearchLength = 200;

/** How many results of each kind are shown. */
export const searchGroupSize = 5;

/** How far the matches of each kind are counted. */
export const searchCountLimit = 100;

/** The kinds of results, in the order in which they are shown. */
export const searchKinds = [
  "campaign",
  "line_item",
  "audience",
  "product",
  "creative",
  "invoice",
  "payout",
  "statement",
] as const;
export type SearchKind = (typeof searchKinds)[number];

function row<Kind extends SearchKind, Facts extends z.ZodType>(kind: Kind, facts: Facts) {
  return z.object({ kind: z.literal(kind), id: z.string(), title: z.string(), facts });
}

const cents = z.number().transform(asCents);
const day = z.string().transform((text) => calendarDateOf(new Date(text)));

/** A row of the search's query: only columns that the account's list of its kind shows. */
export const searchRowSchema = z.discriminatedUnion("kind", [
  row("campaign", z.object({ status: z.enum(campaignStatuses), isArchived: z.boolean() })),
  row(
    "line_item",
    z.object({
      advertiserName: z.string(),
      approvalStatus: z.enum(approvalStatuses),
      status: z.enum(lineItemStatuses),
      isArchived: z.boolean(),
    }),
  ),
  row("audience", z.object({ segment: z.enum(segments), publisherName: z.string().nullable() })),
  row("product", z.object({ sku: z.string(), category: z.string() })),
  row("creative", z.object({ type: z.enum(creativeTypes), width: z.number(), height: z.number() })),
  row("invoice", z.object({ month: day, amount: cents, open: cents, dueOn: day })),
  row("payout", z.object({ status: z.enum(payoutStatuses), amount: cents, createdAt: z.coerce.date() })),
]);

type SearchRow = z.output<typeof searchRowSchema>;
export type SearchResult =
  | SearchRow
  | { kind: "statement"; id: string; title: string; facts: { month: CalendarMonth } };

/**
 * The results of one kind, best first. `count` is the number of all that match, `archived` of those that the list
 * leaves out; `isAtLeast` if there may be more.
 */
export type SearchGroup = {
  kind: SearchKind;
  results: SearchResult[];
  count: number;
  archived: number;
  isAtLeast: boolean;
};
