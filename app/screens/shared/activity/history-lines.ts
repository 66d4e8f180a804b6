import { type AuditEntry, actorLabel, describeEvent, entryDetails } from "./audit-copy.ts";

/** An entry of a campaign's history in words. Loaders write it, so that the browser needs none of the texts. */
export type HistoryLine = ReturnType<typeof historyLineOf>;

/** Returns the lines for a reader whose account is `accountId`. */
export function toHistoryLines(
  entries: readonly (AuditEntry & { id: string; at: Date })[],
  accountId: string,
): HistoryLine[] {
  return entries.map((entry) => historyLineOf(entry, accountId));
}

function historyLineOf(entry: AuditEntry & { id: string; at: Date }, accountId: string) {
  const { verb, rest = "" } = describeEvent(entry, accountId);
  return {
    id: entry.id,
    at: entry.at,
    action: entry.action,
    text: `${actorLabel(entry, accountId)} ${verb} this campaign ${rest}`,
    ...entryDetails(entry),
  };
}
