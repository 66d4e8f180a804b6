import { z } from "zod";
import type { DestinationMember } from "../../../audiences/destination-member.ts";
import type { AudienceDestination } from "../channel-adapter.ts";
import type { GoogleCredentials } from "../channel-credentials.ts";
import { ChannelError, wordsOfProblem } from "../channel-problem.ts";
import { audienceTag } from "../platform-tag.ts";
import type { AskGoogle } from "./google-line.server.ts";
import { quoted, type SearchGoogle } from "./google-search.server.ts";

/** A request may hold 100,000 identifiers; of so many it is a megabyte. */
const inABatch = 10_000;
const day = 86_400_000;

const lists = z.object({ userList: z.object({ resourceName: z.string().min(1) }) });
const mutated = z.object({ results: z.array(z.object({ resourceName: z.string().min(1) })).min(1) });
const job = z.object({ resourceName: z.string().min(1) });
const added = z.object({ partialFailureError: z.object({ code: z.number() }).nullish() });
const running = z.object({ offlineUserDataJob: z.object({ status: z.string() }) });
const anything = z.object({});

/**
 * Customer Match: a user list for an audience, filled by an offline job that removes all and adds all. Written to
 * developers.google.com/google-ads/api/docs/remarketing/audience-segments/customer-match.
 */
export function googleAudiences(
  ask: AskGoogle,
  { search, consent }: { search: SearchGoogle; consent: GoogleCredentials["consent"] },
): AudienceDestination {
  const label = "Google Ads";
  return {
    family: "google",
    inABatch,
    uploadLasts: day,
    async create({ audienceId }) {
      const name = audienceTag(audienceId);
      const where = `user_list.name = ${quoted(name)} AND user_list.membership_status = 'OPEN'`;
      for await (const page of search(`SELECT user_list.resource_name FROM user_list WHERE ${where}`, lists)) {
        const [found] = page;
        if (found) return { reference: found.userList.resourceName, isNew: false };
      }
      const create = {
        name,
        membershipStatus: "OPEN",
        // The longest that Google takes; what goes before is removed by the next upload.
        membershipLifeSpan: "540",
        crmBasedUserList: { uploadKeyType: "CONTACT_INFO" },
      };
      // Once: a second one would be another list, and the next run finds what this one made.
      const made = await ask("userLists:mutate", { operations: [{ create }] }, mutated, 1);
      return { reference: made.results[0]?.resourceName ?? "", isNew: true };
    },
    async begin({ reference }) {
      const said = consent === "granted" && { consent: { adUserData: "GRANTED", adPersonalization: "GRANTED" } };
      const customerMatchUserListMetadata = { userList: reference, ...said };
      const created = { type: "CUSTOMER_MATCH_USER_LIST", customerMatchUserListMetadata };
      const { resourceName } = await ask("offlineUserDataJobs:create", { job: created }, job);
      // Before anything else of the job: what is added afterwards takes the place of all that was there.
      await ask(`${resourceName}:addOperations`, { operations: [{ removeAll: true }] }, added, 1);
      return resourceName;
    },
    async send({ token, members }) {
      const operations = members.map((member) => ({ create: { userIdentifiers: identifiersOf(member) } }));
      // Without enablePartialFailure, so as a whole or not at all: a list that lacks people would not be in step.
      const { partialFailureError } = await ask(`${token}:addOperations`, { operations }, added);
      if (partialFailureError) throw new ChannelError(wordsOfProblem(label, "rejected"));
    },
    async settle({ token }) {
      const query = `SELECT offline_user_data_job.status FROM offline_user_data_job WHERE offline_user_data_job.resource_name = ${quoted(token)}`;
      for await (const page of search(query, running)) {
        const status = page[0]?.offlineUserDataJob.status;
        if (status === "SUCCESS") return true;
        if (status === "RUNNING") return false;
        if (status === "PENDING") return ask(`${token}:run`, {}, anything).then(() => false);
        if (status === "FAILED") throw new ChannelError(wordsOfProblem(label, "rejected"));
      }
      throw new ChannelError(wordsOfProblem(label, "missing"), { problem: "missing" });
    },
    async remove(reference) {
      try {
        await ask("userLists:mutate", { operations: [{ remove: reference }] }, mutated);
      } catch (error) {
        if (!(error instanceof ChannelError && error.problem === "missing")) throw error;
      }
    },
  };
}

/** Of what is not known, both: in the wrong field a hash matches nobody. */
function identifiersOf({ hash, type }: DestinationMember): object[] {
  return [
    ...(type === "phone" ? [] : [{ hashedEmail: hash }]),
    ...(type === "email" ? [] : [{ hashedPhoneNumber: hash }]),
  ];
}
