import type { MemberEditor } from "./member-editor.server.ts";
import type { SliceResult } from "./member-result.ts";
import { hashesOfIdentifier } from "./member-set.server.ts";
import type { Identifier } from "./parse-identifier.ts";
import { RemovalSet } from "./removal-set.ts";

/**
 * Removes people by one identifier each; the caller holds the audience's lock. Removes every hash of the identifier
 * and, when it was sent as a hash with any destination's normalization, its other variants too.
 */
export async function removeMembers(editor: MemberEditor, identifiers: readonly Identifier[]): Promise<SliceResult> {
  if (identifiers.length === 0) return { results: [], peopleDelta: 0, changed: false };
  const hashesByIdentifier = identifiers.map((identifier) => hashesOfIdentifier(identifier).map((one) => one.hash));
  const removed = new Set(hashesByIdentifier.flat());
  await editor.load([...removed]);

  // A person identified by a variant also has a canonical hash, which may have more variants.
  const canonicalHashes = new Set([...removed].flatMap((hash) => editor.canonicalHashesOf(hash)));
  for (const canonicalHash of canonicalHashes) removed.add(canonicalHash);
  if (canonicalHashes.size > 0) await editor.load([...removed]);
  const withVariants = new Set([...removed].filter((hash) => editor.mayHaveVariants(hash)));
  if (withVariants.size > 0) {
    const variants = await editor.findVariants(withVariants);
    await editor.load([...removed, ...variants]);
    for (const variant of variants) if (editor.isVariantOf(variant, withVariants)) removed.add(variant);
  }

  const remaining = new Set([...removed].filter((hash) => editor.find(hash) !== undefined));
  const results = hashesByIdentifier.map((hashes) => {
    const matched = hashes.filter((hash) => remaining.has(hash));
    for (const hash of matched) for (const one of withCanonicalHash(editor, hash)) remaining.delete(one);
    return { status: matched.length > 0 ? ("removed" as const) : ("absent" as const), reason: null };
  });
  const counts = await editor.change({ added: [], removed: new RemovalSet(removed) });
  return { results, peopleDelta: counts.size - counts.before, changed: counts.changed };
}

/**
 * Returns a hash and the canonical hash that it is a variant of. Both are marked as removed, so that a second item for
 * the same person reports `absent`.
 */
function withCanonicalHash(editor: MemberEditor, hash: string): string[] {
  return [hash, ...editor.canonicalHashesOf(hash)];
}
