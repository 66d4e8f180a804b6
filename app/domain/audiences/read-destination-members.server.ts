import type { Database } from "#db/client.server.ts";
import type { DestinationMember } from "./destination-member.ts";
import { type OpenMembers, readMembers } from "./members/audience-members.server.ts";
import { type Block, BlockCursor, hashAt, hashBytes } from "./members/block.ts";
import {
  identifierKinds,
  identifierTypeFromFlags,
  kindFromFlags,
  profilesFromFlags,
} from "./members/identifier-flags.ts";
import { MemberLookUp } from "./members/member-look-up.server.ts";
import { unpackAddress } from "./members/postal-address.ts";
import { type NormalizationProfile, profileBits } from "./rule-sets.ts";

type Selection = {
  profile: NormalizationProfile;
  after: string | null;
  /** Whether people's addresses are read, where the publisher imported them. */
  withAddresses?: boolean;
};

/**
 * Reads an audience's hashes of one normalization profile, ascending, one block at a time, starting after the hash
 * `after` (hexadecimal) if it is not null. Raw identifiers are never stored.
 */
export async function* readDestinationMembers(
  db: Database,
  opened: OpenMembers,
  { profile, after, withAddresses = false }: Selection,
): AsyncGenerator<DestinationMember[]> {
  const range = after === null ? undefined : { from: Buffer.from(after, "hex"), to: maxHash };
  for await (const block of readMembers(db, opened, { range, withAddresses })) {
    const members = membersForProfile(block, { profile, after });
    const canonicalHashes = members.flatMap(({ canonicalHash }) => canonicalHash ?? []);
    const phones = canonicalHashes.length === 0 ? undefined : await filterPhones(db, { opened, owns: canonicalHashes });
    yield members.map(({ hash, type, canonicalHash, address }) => ({
      hash,
      ...(address !== undefined && { address: unpackAddress(address) }),
      type: type !== "own" ? type : canonicalHash !== undefined && phones?.has(canonicalHash) ? "phone" : "email",
    }));
  }
}

/** Above every hash, except one that cannot be found in practice. */
const maxHash = Buffer.alloc(hashBytes, 255);

type Found = {
  hash: string;
  type: ReturnType<typeof identifierTypeFromFlags> | "address";
  canonicalHash: string | undefined;
  address: string | undefined;
};

function membersForProfile(block: Block, { profile, after }: Selection): Found[] {
  const found: Found[] = [];
  const bytes = Buffer.from(block.hashes.buffer, block.hashes.byteOffset, block.hashes.byteLength);
  for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
    const { tag, offset, address } = cursor;
    const isOwn = (profilesFromFlags(tag) & profileBits[profile]) !== 0;
    if (!isOwn && address === undefined) continue;
    // Google's normalization is the canonical hash, so a variant is never Google's, even if it equals an uploaded
    // hash.
    if (profile === "google" && kindFromFlags(tag) === identifierKinds.variant) continue;
    const hash = bytes.toString("hex", offset, offset + hashBytes);
    if (after !== null && hash <= after) continue;
    const type = isOwn ? identifierTypeFromFlags(tag) : "address";
    found.push({
      hash,
      type,
      canonicalHash: type === "own" ? hashAt(block.canonicalHashes, cursor.canonicalOffset) : undefined,
      address,
    });
  }
  return found;
}

/** Returns those of the canonical hashes that are hashes of phone numbers. */
async function filterPhones(
  db: Database,
  { opened, owns }: { opened: OpenMembers; owns: readonly string[] },
): Promise<ReadonlySet<string>> {
  const lookUp = new MemberLookUp(db, opened);
  await lookUp.load(owns);
  return new Set(
    owns.filter((own) => {
      const member = lookUp.find(own);
      return member !== undefined && identifierTypeFromFlags(member.tag) === "phone";
    }),
  );
}
