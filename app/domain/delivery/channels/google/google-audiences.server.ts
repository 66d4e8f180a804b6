import { z } from "zod";
import type { AudienceConsent, ConsentStatus } from "../../../audiences/consent/audience-consent.ts";
import type { DestinationMember } from "../../../audiences/destination-member.ts";
import type { PostalAddress } from "../../../audiences/members/postal-address.ts";
import type { AudienceDestination, UploadProgress } from "../channel-adapter.ts";
import { ChannelError, type ChannelProblem, describeChannelProblem } from "../channel-problem.ts";
import { audienceTag } from "../platform-tag.ts";
import type { DataManagerClient } from "./data-manager-client.server.ts";
import { parseUploadToken, type UploadToken } from "./upload-token.ts";

/** The maximum number of members that Google accepts in a request. */
const batchSize = 10_000;
const dayMs = 86_400_000;
/**
 * After this time, in milliseconds, checking the requests of an upload is left to the next run. Those of an abandoned
 * one are all checked each time, so they get as much as the lease allows.
 */
const checkTimeMs = 20_000;
const abandonedCheckTimeMs = 90_000;
/** The maximum that Google accepts for customer lists; earlier removals come with the next upload. */
const membershipDays = 540;

const userList = z.object({ name: z.string().min(1), displayName: z.string().nullish() });
const userLists = z.object({ userLists: z.array(userList).nullish(), nextPageToken: z.string().nullish() });
const accepted = z.object({ requestId: z.string().min(1) });
const requestStatus = z.object({
  requestStatusPerDestination: z
    .array(
      z.object({
        requestStatus: z.string().nullish(),
        errorInfo: z.object({ errorCounts: z.array(z.object({ reason: z.string().nullish() })).nullish() }).nullish(),
      }),
    )
    .min(1),
});
/** Members whom Google leaves out for their consent; everyone else in the request was processed. */
const consentReasons = ["DENIED", "NO", "UNKNOWN"].map((kind) => `PROCESSING_ERROR_REASON_${kind}_CONSENT`);

/**
 * Audiences at Google: a user list per audience. An upload ingests all members and, once Google has processed them,
 * removes those who were last added before it began, so that the list never stands empty. See
 * developers.google.com/data-manager/api: Send audience members, Remove all members, Diagnostics.
 */
export function googleAudiences({ account, send, readTime, destinationOf }: DataManagerClient): AudienceDestination {
  const listPath = (reference: string) => `${account}/userLists/${userListId(reference)}`;

  async function isProcessed(requestId: string): Promise<boolean> {
    const query = new URLSearchParams({ requestId });
    const { requestStatusPerDestination } = await send(
      { method: "GET", path: `requestStatus:retrieve?${query}` },
      requestStatus,
    );
    return requestStatusPerDestination.map(isDestinationProcessed).every(Boolean);
  }

  /** Returns whether Google still works on one of the requests. Those that it rejected or has forgotten are over. */
  async function isAnyInProgress(requests: string[]): Promise<boolean> {
    const end = Date.now() + abandonedCheckTimeMs;
    for (const requestId of requests) {
      if (Date.now() > end) return true;
      try {
        if (!(await isProcessed(requestId))) return true;
      } catch (error) {
        if (!(error instanceof ChannelError && endedProblems.includes(error.problem))) throw error;
      }
    }
    return false;
  }

  /** Returns the requests that Google has not processed yet, and whether it was asked about all of them. */
  async function checkRequests(requests: string[]): Promise<{ pending: string[]; isComplete: boolean }> {
    const end = Date.now() + checkTimeMs;
    for (const [index, requestId] of requests.entries()) {
      if (Date.now() > end) return { pending: requests.slice(index), isComplete: false };
      if (!(await isProcessed(requestId))) return { pending: requests.slice(index), isComplete: true };
    }
    return { pending: [], isComplete: true };
  }

  return {
    family: "google",
    takesAddresses: true,
    maxBatchSize: batchSize,
    uploadTtlMs: dayMs,
    // A month before Google removes everyone.
    renewAfterMs: (membershipDays - 30) * dayMs,
    async create({ audienceId }) {
      const displayName = audienceTag(audienceId);
      const filter = `display_name = "${displayName}" AND membership_status = "OPEN"`;
      for (let pageToken = ""; ; ) {
        const query = new URLSearchParams({ filter, pageSize: "100", ...(pageToken && { pageToken }) });
        const page = await send({ method: "GET", path: `${account}/userLists?${query}` }, userLists);
        const existingList = page.userLists?.find((list) => list.displayName === displayName);
        if (existingList) return { reference: existingList.name, isNew: false };
        if (!page.nextPageToken) break;
        pageToken = page.nextPageToken;
      }
      const body = {
        displayName,
        membershipStatus: "OPEN",
        membershipDuration: `${membershipDays * 86_400}s`,
        ingestedUserListInfo: { uploadKeyTypes: ["CONTACT_ID"] },
      };
      // Not retried: a retry could create a second list, and the next run finds the one that this request created.
      const creation = await send({ method: "POST", path: `${account}/userLists`, body, tries: 1 }, userList);
      return { reference: creation.name, isNew: true };
    },
    async begin({ reference, consent, abandoned }) {
      // What an abandoned upload sent may contain people who were removed since. It has to be processed before this
      // upload begins, because only members who were added earlier are removed at its end.
      const earlier = abandoned === null ? undefined : parseUploadToken(abandoned);
      if (earlier && (await isAnyInProgress(earlier.requests))) return undefined;
      // Google's own clock: with ours, which may be ahead, members that this upload adds would be removed as well.
      const startedAt = await readTime({ method: "GET", path: listPath(reference) });
      return tokenText({ startedAt: new Date(startedAt).toISOString(), consent, requests: [], removal: null });
    },
    async send({ reference, token, members }) {
      const upload = requireToken(token);
      const ingest = async (identifiers: object[][]) => {
        const body = {
          destinations: [destinationOf(userListId(reference))],
          audienceMembers: identifiers.map((userIdentifiers) => ({ userData: { userIdentifiers } })),
          ...(upload.consent && { consent: consentFields(upload.consent) }),
          encoding: "HEX",
          // The operator who connects the account confirms it (docs/operations.md, Channels).
          termsOfService: { customerMatchTermsOfServiceStatus: "ACCEPTED" },
        };
        const { requestId } = await send({ method: "POST", path: "audienceMembers:ingest", body }, accepted);
        return tokenText({ ...upload, requests: [...upload.requests, requestId] });
      };
      try {
        return await ingest(members.map(identifiersOf));
      } catch (error) {
        const isRejected = error instanceof ChannelError && error.problem === "rejected";
        if (!isRejected || !members.some(({ address }) => address)) throw error;
        // Google rejects a batch as a whole for one postal code that it takes for invalid: everyone in it is sent
        // without their address.
        const rest = members.map(({ hash, type }) => identifiersOf({ hash, type })).filter(({ length }) => length > 0);
        return rest.length > 0 ? ingest(rest) : token;
      }
    },
    async finish({ reference, token }): Promise<UploadProgress> {
      const upload = requireToken(token);
      const { pending, isComplete } = await checkRequests(upload.requests);
      const checked = { ...upload, requests: pending };
      if (pending.length > 0) return { token: tokenText(checked), state: isComplete ? "processing" : "continue" };
      if (checked.removal === null) {
        const body = { destinations: [destinationOf(userListId(reference))], removeAsOfTime: checked.startedAt };
        const { requestId } = await send({ method: "POST", path: "audienceMembers:removeAll", body }, accepted);
        checked.removal = requestId;
      }
      const isDone = await isProcessed(checked.removal);
      return { token: tokenText(checked), state: isDone ? "done" : "processing" };
    },
    async empty({ reference, abandoned }) {
      const earlier = abandoned === null ? undefined : parseUploadToken(abandoned);
      const isOver = !(earlier && (await isAnyInProgress(earlier.requests)));
      const body = { destinations: [destinationOf(userListId(reference))] };
      await send({ method: "POST", path: "audienceMembers:removeAll", body }, accepted);
      return isOver;
    },
    async remove(reference) {
      try {
        await send({ method: "DELETE", path: listPath(reference) }, z.object({}));
      } catch (error) {
        if (!(error instanceof ChannelError && error.problem === "not_found")) throw error;
      }
    },
  };
}

/** What the status of a request fails with once the request is over. */
const endedProblems: readonly ChannelProblem[] = ["rejected", "not_found"];

type DestinationStatus = z.output<typeof requestStatus>["requestStatusPerDestination"][number];

/**
 * Returns whether a request is processed. Throws a ChannelError where members were rejected for more than their
 * consent.
 */
function isDestinationProcessed({ requestStatus: status, errorInfo }: DestinationStatus): boolean {
  if (status === "SUCCESS") return true;
  if (status !== "FAILED" && status !== "PARTIAL_SUCCESS") return false;
  const reasons = errorInfo?.errorCounts?.map(({ reason }) => reason ?? "") ?? [];
  if (reasons.length > 0 && reasons.every((reason) => consentReasons.includes(reason))) return true;
  throw rejected();
}

function rejected(): ChannelError {
  return new ChannelError(describeChannelProblem("Google Ads", "rejected"));
}

/** Returns the ID of a user list by its resource name in this API or, for lists created earlier, in Google Ads'. */
function userListId(reference: string): string {
  const id = /\/userLists\/(\d+)$/.exec(reference)?.[1];
  if (!id) throw new ChannelError(describeChannelProblem("Google Ads", "not_found"), { problem: "not_found" });
  return id;
}

/** Parses a token of an upload in progress. Throws a ChannelError that starts the upload over. */
function requireToken(token: string): UploadToken {
  const upload = parseUploadToken(token);
  if (!upload) throw rejected();
  return upload;
}

function tokenText(upload: UploadToken): string {
  return JSON.stringify(upload);
}

const consentValues: Record<ConsentStatus, string> = {
  unspecified: "CONSENT_STATUS_UNSPECIFIED",
  granted: "CONSENT_GRANTED",
  denied: "CONSENT_DENIED",
};

/** Google's `Consent`: it applies to everyone in the request. */
function consentFields({ adUserData, adPersonalization }: AudienceConsent) {
  return { adUserData: consentValues[adUserData], adPersonalization: consentValues[adPersonalization] };
}

/**
 * Returns the identifiers of a member; of an unknown type as both, because a hash in the wrong field matches nobody.
 */
function identifiersOf({ hash, type, address }: DestinationMember): object[] {
  const isEmail = type === "email" || type === "unknown";
  const isPhone = type === "phone" || type === "unknown";
  return [
    ...(isEmail ? [{ emailAddress: hash }] : []),
    ...(isPhone ? [{ phoneNumber: hash }] : []),
    ...(address ? [{ address: addressInfo(address) }] : []),
  ];
}

/** Google's `AddressInfo`: hashed names with the postal code and the country as they are. */
function addressInfo({ givenName, familyName, country, postalCode }: PostalAddress) {
  return {
    givenName: Buffer.from(givenName, "latin1").toString("hex"),
    familyName: Buffer.from(familyName, "latin1").toString("hex"),
    regionCode: country,
    postalCode,
  };
}
