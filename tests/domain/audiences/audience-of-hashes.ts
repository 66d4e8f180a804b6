import { createHash } from "node:crypto";
import { newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { toStoredPlace } from "#app/domain/audiences/members/deltas.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, newId } from "#app/domain/ids.ts";
import { createEmptyAudience } from "./an-audience.ts";

const perBlock = 1_024;

/** The hash of someone who has this number. */
export function person(number: number): Buffer {
  return createHash("sha256").update(String(number)).digest();
}

export function numbered(count: number, from = 0): Buffer[] {
  return Array.from({ length: count }, (_, index) => person(from + index));
}

/** An audience of these hashes that can be chosen, in blocks as an upload writes them. */
export async function audienceOfHashes(by: Ctx<PublisherActor>, hashes: readonly Buffer[], id?: AudienceId) {
  const size = hashes.length;
  const audienceId = id ?? newId<AudienceId>();
  const place = await newGeneration(by.db, audienceId);
  const stored = toStoredPlace({ ...place, deltas: null });
  const columns = { ...stored, version: 1, size, status: "ready", cpmCents: 500 } as const;
  await createEmptyAudience(by, { ...columns, id: audienceId });
  const sorted = hashes.toSorted(Buffer.compare);
  const blocks = Array.from({ length: Math.ceil(size / perBlock) }, (_, index) => {
    const some = sorted.slice(index * perBlock, (index + 1) * perBlock);
    const flags = new Uint8Array(some.length).fill(packFlags(identifierKinds.email, 15));
    return { hashes: Buffer.concat(some), flags, canonicalHashes: new Uint8Array(0) };
  });
  await writeBlocks(by.db, place, blocks);
  return audienceId;
}
