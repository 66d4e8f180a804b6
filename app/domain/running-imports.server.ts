import type { ErrorFacts, ReportCtx } from "./context.ts";
import { reportError } from "./report-error.ts";

/** On globalThis, because the server and the bundle that Remix builds each have their own copy of this module. */
const key = Symbol.for("endcap.imports");
const stopKey = Symbol.for("endcap.imports.stop");

function running(): Set<Promise<void>> {
  const held: Set<Promise<void>> | undefined = Reflect.get(globalThis, key);
  if (held) return held;
  const made = new Set<Promise<void>>();
  Reflect.set(globalThis, key, made);
  return made;
}

/** Aborted when the server stops: work that takes minutes ends itself then. */
export function stoppingImports(): AbortSignal {
  return stopping().signal;
}

function stopping(): AbortController {
  const held: AbortController | undefined = Reflect.get(globalThis, stopKey);
  if (held) return held;
  const made = new AbortController();
  Reflect.set(globalThis, stopKey, made);
  return made;
}

/** Runs work that goes on after its request was answered; the promise never rejects. What it throws is reported with the facts. */
export function runAside(ctx: ReportCtx, facts: ErrorFacts, work: () => Promise<void>): Promise<void> {
  const done: Promise<void> = work()
    .catch((error: unknown) => reportError(ctx, error, facts))
    .finally(() => running().delete(done));
  running().add(done);
  return done;
}

/** How many run in this process. */
export function countImports(): number {
  return running().size;
}

/** Ends the work that takes minutes and waits for the rest: before the database is closed. */
export async function stopImports(): Promise<void> {
  stopping().abort();
  await settleImports();
}

/** Waits for the work that still runs, and for what it begins. */
export async function settleImports(): Promise<void> {
  while (running().size > 0) await Promise.all(running());
}
