import type { Database } from "#db/client.server.ts";
import type { Generation } from "./audience-blocks.server.ts";
import { LiveMembers } from "./live-members.server.ts";
import type { MemberResult, SliceResult } from "./member-result.ts";
import { MemberSet, taggedHashesOf } from "./member-set.server.ts";
import type { Identifier } from "./read-identifier.ts";
import { countOf, resolveTags } from "./tag.ts";

/** Adds people one after the other, each by one identifier, within the audience's lock. */
export async function addMembers(
  db: Database,
  place: Generation,
  identifiers: readonly Identifier[],
): Promise<SliceResult> {
  if (identifiers.length === 0) return { results: [], change: 0, changed: false };
  const live = new LiveMembers(db, place);
  const hashed = identifiers.map((identifier) => taggedHashesOf(identifier));
  await live.load([...new Set(hashed.flat().map((one) => one.hash))]);
  // What each hash is after the items before: results go in order, the change itself is made at once.
  const now = new Map<string, number | undefined>();
  const tagNow = (hash: string) => (now.has(hash) ? now.get(hash) : live.find(hash)?.tag);
  const results = hashed.map((hashes): MemberResult => {
    let people = 0;
    for (const { hash, tag } of hashes) {
      const before = tagNow(hash);
      const after = before === undefined ? tag : resolveTags(before, tag);
      people += countOf(after) - (before === undefined ? 0 : countOf(before));
      now.set(hash, after);
    }
    return { status: people > 0 ? "added" : "duplicate", reason: null };
  });
  const members = new MemberSet();
  for (const identifier of identifiers) members.addPerson([identifier]);
  const sent = Array.from({ length: 256 }, (_, index) => members.takeBucket(index)).filter(
    (block) => block.tags.length > 0,
  );
  const counts = await live.change({ sent });
  return { results, change: counts.size - counts.before, changed: counts.changed };
}
