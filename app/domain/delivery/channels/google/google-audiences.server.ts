import { z } from "zod";
import type { AudienceConsent, ConsentStatus } from "../../../audiences/consent/audience-consent.ts";
import type { DestinationMember } from "../../../audiences/destination-member.ts";
import type { AudienceDestination } from "../channel-adapter.ts";
import { ChannelError, describeChannelProblem } from "../channel-problem.ts";
import { audienceTag } from "../platform-tag.ts";
import type { GoogleClient } from "./google-client.server.ts";
import { type GoogleSearch, quoteGaql } from "./google-search.server.ts";

/** The batch size. A request may contain 100,000 identifiers; this many are about a megabyte. */
const batchSize = 10_000;
const day = 86_400_000;

const lists = z.object({ userList: z.object({ resourceName: z.string().min(1) }) });
const mutated = z.object({ results: z.array(z.object({ resourceName: z.string().min(1) })).min(1) });
const job = z.object({ resourceName: z.string().min(1) });
const added = z.object({ partialFailureError: z.object({ code: z.number() }).nullish() });
const running = z.object({ offlineUserDataJob: z.object({ status: z.string() }) });
const anything = z.object({});

/**
 * Google Customer Match: a user list per audience, filled by an offline job that removes all members and adds all. See
 * developers.google.com/google-ads/api/docs/remarketing/audience-segments/customer-match.
 */
export function googleAudiences(ask: GoogleClient, search: GoogleSearch): AudienceDestination {
  const label = "Google Ads";
  return {
    family: "google",
    maxBatchSize: batchSize,
    uploadTtlMs: day,
    async create({ audienceId }) {
      const name = audienceTag(audienceId);
      const where = `user_list.name = ${quoteGaql(name)} AND user_list.membership_status = 'OPEN'`;
      for await (const page of search(`SELECT user_list.resource_name FROM user_list WHERE ${where}`, lists)) {
        const [existingList] = page;
        if (existingList) return { reference: existingList.userList.resourceName, isNew: false };
      }
      const create = {
        name,
        membershipStatus: "OPEN",
        // The maximum that Google accepts; earlier removals come with the next upload.
        membershipLifeSpan: "540",
        crmBasedUserList: { uploadKeyType: "CONTACT_INFO" },
      };
      // Not retried: a retry could create a second list, and the next run finds the one that this request created.
      const creation = await ask("userLists:mutate", { operations: [{ create }] }, mutated, 1);
      return { reference: creation.results[0]?.resourceName ?? "", isNew: true };
    },
    async begin({ reference, consent }) {
      const customerMatchUserListMetadata = {
        userList: reference,
        ...(consent && { consent: consentFields(consent) }),
      };
      const created = { type: "CUSTOMER_MATCH_USER_LIST", customerMatchUserListMetadata };
      const { resourceName } = await ask("offlineUserDataJobs:create", { job: created }, job);
      // The first operation of the job, so that the members added afterward replace the previous ones.
      await ask(`${resourceName}:addOperations`, { operations: [{ removeAll: true }] }, added, 1);
      return resourceName;
    },
    async send({ token, members }) {
      const operations = members.map((member) => ({ create: { userIdentifiers: identifiersOf(member) } }));
      // Without enablePartialFailure a request succeeds or fails as a whole: a list with missing members would be out
      // of sync.
      const { partialFailureError } = await ask(`${token}:addOperations`, { operations }, added);
      if (partialFailureError) throw new ChannelError(describeChannelProblem(label, "rejected"));
    },
    async isUploadDone({ token }) {
      const query = `SELECT offline_user_data_job.status FROM offline_user_data_job WHERE offline_user_data_job.resource_name = ${quoteGaql(token)}`;
      for await (const page of search(query, running)) {
        const status = page[0]?.offlineUserDataJob.status;
        if (status === "SUCCESS") return true;
        if (status === "RUNNING") return false;
        if (status === "PENDING") return ask(`${token}:run`, {}, anything).then(() => false);
        if (status === "FAILED") throw new ChannelError(describeChannelProblem(label, "rejected"));
      }
      throw new ChannelError(describeChannelProblem(label, "not_found"), { problem: "not_found" });
    },
    async remove(reference) {
      try {
        await ask("userLists:mutate", { operations: [{ remove: reference }] }, mutated);
      } catch (error) {
        if (!(error instanceof ChannelError && error.problem === "not_found")) throw error;
      }
    },
  };
}

const consentValues: Record<ConsentStatus, string> = {
  unspecified: "UNSPECIFIED",
  granted: "GRANTED",
  denied: "DENIED",
};

/** Google's `Consent`: it applies to everyone in the job. */
function consentFields({ adUserData, adPersonalization }: AudienceConsent) {
  return { adUserData: consentValues[adUserData], adPersonalization: consentValues[adPersonalization] };
}

/**
 * Returns the identifiers of a member; of an unknown type as both, because a hash in the wrong field matches nobody.
 */
function identifiersOf({ hash, type }: DestinationMember): object[] {
  return [
    ...(type === "phone" ? [] : [{ hashedEmail: hash }]),
    ...(type === "email" ? [] : [{ hashedPhoneNumber: hash }]),
  ];
}
