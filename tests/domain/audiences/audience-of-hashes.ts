import { recordAudienceVersion } from "#app/domain/audiences/audience-version.server.ts";
import { newGeneration, writeBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { hashesPerBlock } from "#app/domain/audiences/members/block-builder.ts";
import { identifierKinds, packFlags } from "#app/domain/audiences/members/identifier-flags.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { createEmptyAudience } from "./an-audience.ts";

function hashOf(text: string): Buffer {
  return Buffer.from(sha256(text), "latin1");
}

/** The hash of someone who has this number. */
export function person(number: number): Buffer {
  return hashOf(String(number));
}

export function numbered(count: number, from = 0): Buffer[] {
  return Array.from({ length: count }, (_, index) => person(from + index));
}

/** An audience of people numbered from `from`, as after an upload of their file, without the thread that reads one. */
export async function audienceOfPeople(by: Ctx<PublisherActor>, count: number, from = 0): Promise<AudienceId> {
  const hashes = Array.from({ length: count }, (_, index) => hashOf(`person${from + index}@example.com`));
  return audienceOfHashes(by, hashes);
}

/** An audience of these hashes, in blocks as an upload writes them; it can be chosen from the minimum size on. */
export async function audienceOfHashes(by: Ctx<PublisherActor>, hashes: readonly Buffer[], id?: AudienceId) {
  const size = hashes.length;
  const audienceId = await createEmptyAudience(by, id ? { id } : {});
  const place = await newGeneration(by.db, audienceId);
  // Texts of one byte for each character are sorted four times as fast as buffers.
  const sorted = hashes.map((hash) => hash.toString("latin1")).sort();
  const blocks = Array.from({ length: Math.ceil(size / hashesPerBlock) }, (_, index) => {
    const some = sorted.slice(index * hashesPerBlock, (index + 1) * hashesPerBlock);
    const flags = new Uint8Array(some.length).fill(packFlags(identifierKinds.email, 15));
    return { hashes: Buffer.from(some.join(""), "latin1"), flags, canonicalHashes: new Uint8Array(0) };
  });
  await writeBlocks(by.db, place, blocks);
  const audience = { id: audienceId, size: 0, version: 0, status: "building" };
  const change = { size, peopleAdded: size, peopleRemoved: 0, source: "members" } as const;
  await recordAudienceVersion(by, { audience, place: { ...place, deltas: null }, ...change });
  return audienceId;
}
