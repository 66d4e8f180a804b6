import type { Database } from "#db/client.server.ts";
import type { Generation } from "./audience-blocks.server.ts";
import { LiveMembers } from "./live-members.server.ts";
import type { SliceResult } from "./member-result.ts";
import { taggedHashesOf } from "./member-set.server.ts";
import type { Identifier } from "./read-identifier.ts";
import { RemovedMembers } from "./removed-members.ts";
import { isSpelled } from "./tag.ts";

/**
 * Removes people by one identifier each, within the audience's lock: every key of the identifier, and when it was given
 * as a hash by any destination's rule, the other spellings too.
 */
export async function removeMembers(
  db: Database,
  place: Generation,
  identifiers: readonly Identifier[],
): Promise<SliceResult> {
  if (identifiers.length === 0) return { results: [], change: 0, changed: false };
  const live = new LiveMembers(db, place);
  const given = identifiers.map((identifier) => taggedHashesOf(identifier).map((one) => one.hash));
  const gone = new Set(given.flat());
  await live.load([...gone]);

  // A person given by another spelling has the own hash, and that one further spellings.
  const owns = new Set([...gone].flatMap((hash) => live.find(hash)?.own ?? []));
  for (const own of owns) gone.add(own);
  if (owns.size > 0) await live.load([...gone]);
  const spelled = new Set([...gone].filter((hash) => isSpelled(live.find(hash)?.tag ?? 0)));
  if (spelled.size > 0) {
    for (const spelling of await live.findSpellings(spelled)) gone.add(spelling);
    await live.load([...gone]);
  }

  const left = new Set([...gone].filter((hash) => live.find(hash) !== undefined));
  const results = given.map((hashes) => {
    const found = hashes.filter((hash) => left.has(hash));
    for (const hash of found) for (const one of relatives(live, hash)) left.delete(one);
    return { status: found.length > 0 ? ("removed" as const) : ("absent" as const), reason: null };
  });
  const counts = await live.change({ sent: [], removed: new RemovedMembers(gone) });
  return { results, change: counts.size - counts.before, changed: counts.changed };
}

/** A hash, and the own hash of whose spelling it is: removed together, so that a second item finds nobody. */
function relatives(live: LiveMembers, hash: string): string[] {
  const own = live.find(hash)?.own;
  return own === undefined ? [hash] : [hash, own];
}
