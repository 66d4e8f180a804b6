import { appName } from "#app/domain/branding.ts";
import { notSet, rejectionReasons } from "#app/domain/campaigns/campaign.ts";
import { findRowByKey } from "#app/domain/campaigns/campaign-fields.ts";
import { describeRejectionReasons } from "#app/domain/campaigns/status/campaign-rejection.ts";
import { asCents, formatCents } from "#app/domain/money.ts";
import { activityEvent, activityVerb } from "./activity-copy.ts";

/** An entry of the audit trail, as the history and the activity lists have it. */
export type AuditEntry = {
  action: string;
  actorKind: string;
  actorAccountId: string | null;
  actorName: string;
  entrypoint: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
};

/**
 * `verb` is read between who did it and the campaign's name, `rest` after it. Without an actor `verb` is the whole
 * line.
 */
type Sentence = { verb: string; rest?: string; withoutActor?: boolean };

/** "You", the other company, or the product itself where a job did it. */
export function actorLabel({ actorKind, actorAccountId, actorName }: AuditEntry, accountId: string): string {
  if (actorKind === "job" || actorKind === "operator") return appName;
  return actorAccountId === accountId ? "You" : actorName;
}

/** What was done, for the reader whose account it is. */
export function describeEvent(entry: AuditEntry, accountId: string): Sentence {
  const own = entry.actorAccountId === accountId ? "your" : "its";
  const version = Number(entry.after?.version ?? 1) > 1 ? ` (version ${entry.after?.version})` : "";
  const sentences: Record<string, Sentence> = {
    "campaign.created": { verb: "created", rest: entry.after?.copied_from ? " as a copy" : "" },
    "campaign.changed": { verb: "changed" },
    "campaign.launched": { verb: "launched" },
    "campaign.sent": { verb: "submitted changes to", rest: version },
    "campaign.paused": { verb: "paused" },
    "campaign.resumed": { verb: "resumed" },
    "campaign.completed": { verb: "completed" },
    "campaign.archived": { verb: "archived" },
    "campaign.restored": { verb: "restored" },
    "line_item.approved":
      entry.after?.managed_by_retailer && version === ""
        ? { verb: "created and approved" }
        : { verb: "approved", rest: version },
    "line_item.rejected": { verb: "rejected", rest: version },
    "line_item.paused": { verb: "paused", rest: ` on ${own} audiences` },
    "line_item.resumed": { verb: "resumed", rest: ` on ${own} audiences` },
    "line_item.sent": { verb: "sent", rest: ` for review${version}` },
    "line_item.withdrawn": { verb: "withdrew", rest: " from the publisher" },
    "line_item.paused_with_campaign": { verb: "paused" },
    "line_item.resumed_with_campaign": { verb: "resumed" },
    "line_item.completed": { verb: "completed" },
    "line_item.archived": { verb: "archived" },
    "line_item.restored": { verb: "restored" },
    "line_item.refunded": { verb: `refunded ${amountIn(entry)} spent on` },
  };
  return sentences[entry.action] ?? describeMoneyEvent(entry);
}

function describeMoneyEvent(entry: AuditEntry): Sentence {
  const { action, actorKind } = entry;
  const [amount, invoice] = [amountOfMoney(entry), paidInvoice(entry)];
  const event = action === "payout.started" && actorKind === "job" ? scheduledPayout : activityEvent(action);
  if (event !== undefined) {
    const subject = invoice ? event.replace(/^(Top-up|Payment)( of \{amount\})?/, `Payment$2 for ${invoice}`) : event;
    return { verb: subject.replace(" of {amount}", amount), withoutActor: true };
  }
  const verb = activityVerb(action);
  return invoice
    ? { verb: verb.replace("top-up", "payment"), rest: `${amount} for ${invoice}` }
    : { verb, rest: amount };
}

const scheduledPayout = "Payout of {amount} initiated";

/** A top-up may pay an invoice instead: then it is a payment of that. */
function paidInvoice({ action, after }: AuditEntry): string | undefined {
  const invoice = after?.invoice;
  return action.startsWith("top_up.") && typeof invoice === "string" ? invoice : undefined;
}

/** Money in an entry is in US dollars, as on the wire. */
function amountIn({ after }: AuditEntry): string {
  return formatCents(asCents(Math.round(Number(after?.amount ?? 0) * 100)));
}

/** What a payment was of, where its entry says it. */
function amountOfMoney(entry: AuditEntry): string {
  const isMoney = /^(top_up|payout|invoice|subscription|account)\./.test(entry.action);
  return isMoney && typeof entry.after?.amount === "number" ? ` of ${amountIn(entry)}` : "";
}

const entrypointLabels: Record<string, string> = {
  screen: "Portal",
  api: "API",
  test_mode: "Test mode",
  command: "Command line",
  job: "Automatic",
  seed: "Demo data",
};

/** Through which door it was done. */
function entrypointLabel({ entrypoint }: AuditEntry): string {
  return entrypointLabels[entrypoint] ?? entrypoint;
}

/**
 * Returns what the history and the activity show of an entry besides its sentence. Few have reasons, so the others
 * leave them out.
 */
export function entryDetails(entry: AuditEntry) {
  const reasons = decisionReasons(entry);
  return {
    changes: fieldChanges(entry),
    ...(reasons && { reasons }),
    notes: decisionNotes(entry),
    entrypoint: entrypointLabel(entry),
  };
}

/** The notes of a decision; empty when there are none. */
function decisionNotes({ after }: AuditEntry): string {
  return typeof after?.notes === "string" ? after.notes : "";
}

/** The reasons that a publisher selected for its rejection; empty when there are none. */
function decisionReasons({ after }: AuditEntry): string {
  const codes: unknown[] = Array.isArray(after?.reasons) ? after.reasons : [];
  return describeRejectionReasons(rejectionReasons.filter((reason) => codes.includes(reason)));
}

/** What a change changed: each part with what it was and what it is. */
export function fieldChanges({ action, before, after }: AuditEntry): { label: string; was: string; is: string }[] {
  if (action !== "campaign.changed") return [];
  return Object.keys(after ?? {}).map((field) => ({
    label: labelOf(field),
    was: describeStored(field, before?.[field]),
    is: describeStored(field, after?.[field]),
  }));
}

function labelOf(field: string): string {
  const row = findRowByKey(field);
  return row ? (row.historyLabel ?? row.label) : field;
}

/** What is stored under a name that no field has any more reads as it is. */
function describeStored(field: string, value: unknown): string {
  const row = findRowByKey(field);
  if (row) return row.showStored(value);
  return value === null || value === undefined ? notSet : String(value);
}
