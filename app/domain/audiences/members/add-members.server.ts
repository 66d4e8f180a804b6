import { mergeFlags, personCount } from "./identifier-flags.ts";
import type { MemberEditor } from "./member-editor.server.ts";
import type { MemberResult, SliceResult } from "./member-result.ts";
import { hashesOfIdentifier, MemberSet } from "./member-set.server.ts";
import type { Identifier } from "./parse-identifier.ts";

/** Adds people one by one, each by one identifier. The caller holds the audience's lock. */
export async function addMembers(editor: MemberEditor, identifiers: readonly Identifier[]): Promise<SliceResult> {
  if (identifiers.length === 0) return { results: [], peopleDelta: 0, changed: false };
  const hashed = identifiers.map((identifier) => hashesOfIdentifier(identifier));
  await editor.load([...new Set(hashed.flat().map((one) => one.hash))]);
  // The flags of each hash after the preceding items: results are computed in order, the blocks are changed once at
  // the end.
  const pendingFlags = new Map<string, number | undefined>();
  const currentFlags = (hash: string) => (pendingFlags.has(hash) ? pendingFlags.get(hash) : editor.find(hash)?.tag);
  const results = hashed.map((hashes): MemberResult => {
    let people = 0;
    for (const { hash, tag } of hashes) {
      const flagsBefore = currentFlags(hash);
      const flagsAfter = flagsBefore === undefined ? tag : mergeFlags(flagsBefore, tag);
      people += personCount(flagsAfter) - (flagsBefore === undefined ? 0 : personCount(flagsBefore));
      pendingFlags.set(hash, flagsAfter);
    }
    return { status: people > 0 ? "added" : "duplicate", reason: null };
  });
  const members = new MemberSet();
  for (const identifier of identifiers) members.addPerson([identifier]);
  const buckets = Array.from({ length: 256 }, (_, index) => members.drainBucket(index)).filter(
    (block) => block.flags.length > 0,
  );
  const counts = await editor.change({ added: buckets });
  return { results, peopleDelta: counts.size - counts.before, changed: counts.changed };
}
