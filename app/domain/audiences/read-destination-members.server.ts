import type { Database } from "#db/client.server.ts";
import type { DestinationMember } from "./destination-member.ts";
import { type Generation, readBlocks } from "./members/audience-blocks.server.ts";
import { type Block, BlockCursor, hashBytes } from "./members/block.ts";
import { LiveMembers } from "./members/live-members.server.ts";
import { hashAt } from "./members/removed-members.ts";
import { familiesOf, identifierOf, kindOf, kinds } from "./members/tag.ts";
import { familyBits, type RuleFamily } from "./rule-sets.ts";

/**
 * An audience's hashes by the rules of one family, ascending, a block at a time; after a hash (hexadecimal) when one is given.
 * Nothing raw is read, since nothing raw is there.
 */
export async function* readDestinationMembers(
  db: Database,
  place: Generation,
  { family, after }: { family: RuleFamily; after: string | null },
): AsyncGenerator<DestinationMember[]> {
  const range = after === null ? undefined : { from: Buffer.from(after, "hex"), to: beyondAll };
  for await (const block of readBlocks(db, place, range)) {
    const members = membersOf(block, { family, after });
    const spelled = members.flatMap(({ own }) => own ?? []);
    const phones = spelled.length === 0 ? undefined : await phonesAmong(db, { place, owns: spelled });
    yield members.map(({ hash, type, own }) => ({
      hash,
      type: type !== "own" ? type : own !== undefined && phones?.has(own) ? "phone" : "email",
    }));
  }
}

/** Above every hash but one that nobody will find. */
const beyondAll = Buffer.alloc(hashBytes, 255);

type Found = { hash: string; type: ReturnType<typeof identifierOf>; own: string | undefined };

function membersOf(block: Block, { family, after }: { family: RuleFamily; after: string | null }): Found[] {
  const found: Found[] = [];
  const bytes = Buffer.from(block.hashes.buffer, block.hashes.byteOffset, block.hashes.byteLength);
  for (const cursor = new BlockCursor(block); !cursor.done; cursor.next()) {
    const { tag, offset } = cursor;
    if (!(familiesOf(tag) & familyBits[family])) continue;
    // The own hash follows Google's rule; another spelling is not Google's, whatever it was equal to.
    if (family === "google" && kindOf(tag) === kinds.spelling) continue;
    const hash = bytes.toString("hex", offset, offset + hashBytes);
    if (after !== null && hash <= after) continue;
    const type = identifierOf(tag);
    found.push({ hash, type, own: type === "own" ? hashAt(block.spellings, cursor.spellingOffset) : undefined });
  }
  return found;
}

/** Those of the own hashes that are phones'. */
async function phonesAmong(
  db: Database,
  { place, owns }: { place: Generation; owns: readonly string[] },
): Promise<ReadonlySet<string>> {
  const live = new LiveMembers(db, place);
  await live.load(owns);
  return new Set(
    owns.filter((own) => {
      const member = live.find(own);
      return member !== undefined && identifierOf(member.tag) === "phone";
    }),
  );
}
