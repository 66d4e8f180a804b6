import type { Ctx } from "./context.ts";

/** How many items the message of the error names, and how many of their errors it has. */
const maxNamed = 20;

type Task<Item> = {
  /** Returns how much was done; true counts as 1. */
  work: (item: Item) => Promise<number | boolean>;
  /** What the items are, in the plural, for the message of the error. */
  kind: string;
  /** Returns how the message of the error, which the log has, names an item. */
  nameOf: (item: Item) => string;
  /** Ends the work once this much was done. */
  max?: number;
};

/**
 * Does a job's work for one item after the other, until the process stops. An item whose work fails keeps no other from
 * its own: an `AggregateError` in the end says how many failed, and names them. Returns how much was done in all.
 */
export async function forEachItem<Item>(
  { stopping }: Pick<Ctx, "stopping">,
  items: Iterable<Item> | AsyncIterable<Item>,
  { work, kind, nameOf, max = Number.POSITIVE_INFINITY }: Task<Item>,
): Promise<number> {
  const failures: { name: string; error: unknown }[] = [];
  let [count, done] = [0, 0];
  for await (const item of items) {
    if (stopping?.aborted) break;
    count += 1;
    try {
      done += Number(await work(item));
    } catch (error) {
      failures.push({ name: nameOf(item), error });
    }
    if (done >= max) break;
  }
  if (failures.length === 0) return done;
  const named = failures.slice(0, maxNamed);
  const more = failures.length > named.length ? ` and ${failures.length - named.length} more` : "";
  throw new AggregateError(
    named.map(({ error }) => error),
    `failed for ${failures.length} of ${count} ${kind}: ${named.map(({ name }) => name).join(", ")}${more}`,
  );
}
