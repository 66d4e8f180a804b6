import { DomainError } from "#app/domain/errors.ts";
import type { Flash } from "#app/web/flash.server.ts";
import { type BulkUndo, maxUndone } from "#app/web/undo.server.ts";
import { doneIntents } from "../campaign-intents.ts";
import type { BulkIntent } from "./bulk-intents.ts";

export type Failure = { reason: string };

/** Returns what a message says of a row that failed. */
export function failureOf(error: unknown): Failure {
  return { reason: error instanceof DomainError ? error.message : "Something went wrong. Try again" };
}

/** Describes the result, such as "2 of 3 campaigns paused. 1: This campaign is draft and can't be paused". */
export function describeBulkResult({
  intent,
  selected,
  failures,
  undo,
}: {
  intent: BulkIntent;
  selected: number;
  failures: readonly Failure[];
  /** The action that undoes it, and the rows that were changed. */
  undo?: { action: BulkUndo["action"]; ids: string[] };
}): Flash {
  const reversal = undo && reversalOf(undo);
  const verb = doneIntents[intent];
  if (failures.length === 0) {
    return {
      tone: "success",
      message: `${selected} ${selected === 1 ? "campaign" : "campaigns"} ${verb}`,
      undo: reversal,
    };
  }
  const counts = new Map<string, number>();
  for (const { reason } of failures) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count}: ${reason}`);
  return {
    tone: failures.length === selected ? "error" : "info",
    message: `${selected - failures.length} of ${selected} campaigns ${verb}. ${reasons.join(". ")}`,
    undo: reversal,
  };
}

/** Returns the undo of one or of many rows; none for more than a message can name. */
function reversalOf({ action, ids }: { action: BulkUndo["action"]; ids: string[] }): Flash["undo"] {
  const [id, ...others] = ids;
  if (id === undefined || ids.length > maxUndone) return undefined;
  return others.length === 0 ? { action, id } : { action, ids };
}
