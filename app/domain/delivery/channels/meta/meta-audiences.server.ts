import { randomInt } from "node:crypto";
import { z } from "zod";
import type { DestinationMember } from "../../../audiences/destination-member.ts";
import { sha256 } from "../../../audiences/members/member-set.server.ts";
import { metaPostalCode } from "../../../audiences/members/postal-address.ts";
import type { AudienceDestination } from "../channel-adapter.ts";
import { ChannelError } from "../channel-problem.ts";
import { audienceTag } from "../platform-tag.ts";
import type { MetaClient } from "./meta-client.server.ts";
import { readPages } from "./meta-pages.server.ts";

const named = z.object({ id: z.string().min(1), name: z.string() });
const created = z.object({ id: z.string().min(1) });
const received = z.object({ num_received: z.coerce.number() });
const status = z.object({ operation_status: z.object({ code: z.number() }).nullish() });
/** The audience suggests a health condition, a financial status or other information that Meta's terms exclude. */
const flaggedCode = 471;
const done = z.object({ success: z.boolean().nullish() });

/**
 * Custom audiences from customer files. See developers.facebook.com/docs/marketing-api: Custom Audience, Custom
 * Audience Users, and Replace Users of a Custom Audience, with sessions and batches and several keys per row.
 */
export function metaAudiences(ask: MetaClient, account: string): AudienceDestination {
  /** Returns the code of the audience's state. Throws a ChannelError for an audience that Meta has flagged. */
  async function readStatus(reference: string): Promise<number | undefined> {
    const { operation_status } = await ask(reference, status, { fields: { fields: "operation_status" } });
    if (operation_status?.code !== flaggedCode) return operation_status?.code;
    const message = `Meta flagged audience ${reference} and does not use it. Resolve it in Meta's Audience Manager`;
    throw new ChannelError(message, { problem: "waiting" });
  }

  return {
    family: "meta",
    takesAddresses: true,
    // The maximum number of members that Meta accepts in a request.
    maxBatchSize: 10_000,
    // A session lasts 90 minutes.
    uploadTtlMs: 80 * 60_000,
    async create({ audienceId }) {
      const name = audienceTag(audienceId);
      const filtering = [{ field: "name", operator: "EQUAL", value: name }];
      const fields = { fields: "id,name", filtering, limit: "100" };
      for await (const page of readPages(ask, { path: `${account}/customaudiences`, fields, row: named })) {
        const customAudience = page.find((one) => one.name === name);
        if (customAudience) return { reference: customAudience.id, isNew: false };
      }
      const audience = { name, subtype: "CUSTOM", customer_file_source: "PARTNER_PROVIDED_ONLY" };
      // Not retried: a retry could create a second audience, and the next run finds the one that this request created.
      const { id } = await ask(`${account}/customaudiences`, created, { method: "POST", fields: audience, tries: 1 });
      return { reference: id, isNew: true };
    },
    begin: async () => String(randomInt(1, 2 ** 47)),
    async send({ reference, token, sequence, last, total, first, members }) {
      const session = {
        session_id: Number(token),
        batch_seq: sequence,
        last_batch_flag: last,
        estimated_num_total: total,
      };
      const payload = payloadOf(members);
      const edge = first ? "users" : "usersreplace";
      try {
        await ask(`${reference}/${edge}`, received, { method: "POST", fields: { session, payload } });
      } catch (error) {
        // Meta rejects changes of an audience that it has flagged.
        if (error instanceof ChannelError && error.problem === "rejected") await readStatus(reference);
        throw error;
      }
      return token;
    },
    async finish({ reference, token }) {
      const code = await readStatus(reference);
      // 300 and 414 mean that an update is in progress. Other codes report problems of the audience, such as too few
      // matches.
      const isUpdating = code === 300 || code === 414;
      return { token, state: isUpdating ? "processing" : "done" };
    },
    check: async (reference) => void (await readStatus(reference)),
    async remove(reference) {
      try {
        await ask(reference, done, { method: "DELETE" });
      } catch (error) {
        if (!(error instanceof ChannelError && error.problem === "not_found")) throw error;
      }
    },
  };
}

/** Returns the rows of a batch and what their columns are, with those of addresses where someone has one. */
function payloadOf(members: readonly DestinationMember[]): { schema: string[]; data: string[][] } {
  if (!members.some(({ address }) => address)) return { schema: ["EMAIL", "PHONE"], data: members.map(identifierKeys) };
  const data = members.map((member) => [...identifierKeys(member), ...addressKeys(member)]);
  return { schema: ["EMAIL", "PHONE", "FN", "LN", "ZIP", "COUNTRY"], data };
}

/** Returns the keys of a member; of an unknown type as both, because a hash under the wrong key matches nobody. */
function identifierKeys({ hash, type }: DestinationMember): [string, string] {
  const [isEmail, isPhone] = [type === "email" || type === "unknown", type === "phone" || type === "unknown"];
  return [isEmail ? hash : "", isPhone ? hash : ""];
}

/** Returns the keys of a member's address, each hashed by itself. */
function addressKeys({ address }: DestinationMember): [string, string, string, string] {
  if (!address) return ["", "", "", ""];
  const { givenName, familyName, country } = address;
  const toHex = (hash: string) => Buffer.from(hash, "latin1").toString("hex");
  return [
    toHex(givenName),
    toHex(familyName),
    toHex(sha256(metaPostalCode(address))),
    toHex(sha256(country.toLowerCase())),
  ];
}
