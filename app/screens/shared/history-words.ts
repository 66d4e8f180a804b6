import { formatDate, parseCalendarDate } from "#app/domain/calendar-date.ts";
import {
  adFormatLabels,
  channelLabels,
  channelTypeLabels,
  geolocationLabels,
  objectiveLabels,
} from "#app/domain/campaigns/campaign.ts";
import { formatCents, toCents } from "#app/domain/money.ts";
import { productName } from "#app/domain/product.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { verbOf } from "./activity-verbs.ts";
import { contentLabels, wordsOfName } from "./campaign-content-words.ts";
import { notSelected } from "./campaign-words.ts";

/** An entry of the audit trail, as the history and the activity lists have it. */
export type Told = {
  action: string;
  actorKind: string;
  actorAccountId: string | null;
  actorName: string;
  door: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
};

/** `verb` stands between who did it and the campaign's name, `rest` after it. */
type Sentence = { verb: string; rest?: string };

/** "You", the other company, or the product itself where a job did it. */
export function whoOf({ actorKind, actorAccountId, actorName }: Told, accountId: string): string {
  if (actorKind === "job" || actorKind === "operator") return productName;
  return actorAccountId === accountId ? "You" : actorName;
}

/** What was done, for the reader whose account it is. */
export function sentenceOf(entry: Told, accountId: string): Sentence {
  const own = entry.actorAccountId === accountId ? "your" : "its";
  const version = Number(entry.after?.version ?? 1) > 1 ? `, version ${entry.after?.version}` : "";
  const sentences: Record<string, Sentence> = {
    "campaign.created": { verb: "created", rest: entry.after?.copied_from ? " as a copy" : "" },
    "campaign.changed": { verb: "changed" },
    "campaign.launched": { verb: "launched" },
    "campaign.sent": { verb: "sent changes of", rest: version },
    "campaign.paused": { verb: "paused" },
    "campaign.resumed": { verb: "resumed" },
    "campaign.completed": { verb: "completed" },
    "line_item.approved": {
      verb: "approved",
      rest: entry.after?.managed_by_retailer ? " with its creation, and manages it" : version,
    },
    "line_item.rejected": { verb: "rejected", rest: version },
    "line_item.paused": { verb: `paused ${own} part of` },
    "line_item.resumed": { verb: `resumed ${own} part of` },
    "line_item.sent": { verb: "sent", rest: ` for review${version}` },
    "line_item.withdrawn": { verb: "withdrew", rest: " from its publisher" },
    "line_item.paused_with_campaign": { verb: "paused" },
    "line_item.resumed_with_campaign": { verb: "resumed" },
    "line_item.completed": { verb: "completed" },
    "line_item.refunded": { verb: `gave back ${amountIn(entry)} of what was spent on` },
  };
  return sentences[entry.action] ?? ofMoney(entry, { verb: verbOf(entry.action), rest: amountOfMoney(entry) });
}

/** A top-up may pay an invoice instead: then it is a payment of that. */
function ofMoney({ action, after }: Told, sentence: Sentence): Sentence {
  const invoice = after?.invoice;
  if (!action.startsWith("top_up.") || typeof invoice !== "string") return sentence;
  return { verb: sentence.verb.replace("top-up", "payment"), rest: `${sentence.rest} for ${invoice}` };
}

/** Money in an entry is in US dollars, as on the wire. */
function amountIn({ after }: Told): string {
  return formatCents(toCents(Math.round(Number(after?.amount ?? 0) * 100)));
}

/** What a payment was of, where its entry says it. */
function amountOfMoney(entry: Told): string {
  const isMoney = /^(top_up|payout|invoice|subscription|account)\./.test(entry.action);
  return isMoney && typeof entry.after?.amount === "number" ? ` of ${amountIn(entry)}` : "";
}

const doorWords: Record<string, string> = {
  screen: "in the portal",
  api: "through the API",
  test_mode: "in test mode",
  command: "by command",
  job: "automatically",
  seed: "demo data",
};

/** Through which door it was done. */
export function doorOf({ door }: Told): string {
  return doorWords[door] ?? door;
}

/** The notes of a decision; empty when there are none. */
export function notesOf({ after }: Told): string {
  return typeof after?.notes === "string" ? after.notes : "";
}

/** What a change changed: each part with what it was and what it is. */
export function changesOf({ action, before, after }: Told): { label: string; was: string; is: string }[] {
  if (action !== "campaign.changed") return [];
  return Object.keys(after ?? {}).map((field) => ({
    label: labelOf(field),
    was: wordsOfStored(field, before?.[field]),
    is: wordsOfStored(field, after?.[field]),
  }));
}

function labelOf(field: string): string {
  const known = Object.entries(contentLabels).find(([name]) => name === field);
  return known ? known[1] : field === "name" ? "Name" : field;
}

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  objective: objectiveLabels,
  adFormat: adFormatLabels,
  channelType: channelTypeLabels,
  channels: channelLabels,
  geolocations: geolocationLabels,
};

function wordsOfStored(field: string, value: unknown): string {
  if (field === "name") return wordsOfName(String(value ?? ""));
  if (Array.isArray(value)) return wordsOfList(field, value.map(String));
  if (value === null || value === undefined || value === "") return notSelected;
  if (typeof value === "number" && field.endsWith("Cents")) return formatCents(toCents(value));
  const date = typeof value === "string" ? parseCalendarDate(value) : undefined;
  return date ? formatDate(date) : (labels[field]?.[String(value)] ?? String(value));
}

function wordsOfList(field: string, values: string[]): string {
  if (values.length === 0) return field === "geolocations" ? "All locations" : notSelected;
  if (field === "audienceIds") return formatNumberOf(values.length, "audience");
  if (field === "creativeIds") return formatNumberOf(values.length, "creative");
  if (field === "productIds") return formatNumberOf(values.length, "product");
  return values.map((value) => labels[field]?.[value] ?? value).join(", ");
}
