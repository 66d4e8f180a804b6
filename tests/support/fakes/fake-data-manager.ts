import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/**
 * A local fake of Google's Data Manager API, built from the REST reference and from the definitions that Google
 * publishes in the npm package @google-ads/datamanager: a field that these do not have is an error. A request is
 * processed when its status is read for the second time. Google's clock is a second ahead with each request.
 */

const productAccount = z.strictObject({ accountType: z.literal("GOOGLE_ADS"), accountId: z.string() });
const destinations = z
  .array(
    z.strictObject({
      operatingAccount: productAccount,
      loginAccount: productAccount.optional(),
      productDestinationId: z.string().regex(/^\d+$/),
    }),
  )
  .length(1);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.union([
  z.strictObject({ emailAddress: hash }),
  z.strictObject({ phoneNumber: hash }),
  z.strictObject({
    address: z.strictObject({
      givenName: hash,
      familyName: hash,
      regionCode: z.string().regex(/^[A-Z]{2}$/),
      postalCode: z.string().min(1),
    }),
  }),
]);
const consentStatus = z.enum(["CONSENT_STATUS_UNSPECIFIED", "CONSENT_GRANTED", "CONSENT_DENIED"]);
const ingestRequest = z.strictObject({
  destinations,
  audienceMembers: z
    .array(z.strictObject({ userData: z.strictObject({ userIdentifiers: z.array(identifier).min(1).max(10) }) }))
    .min(1)
    .max(10_000),
  consent: z.strictObject({ adUserData: consentStatus, adPersonalization: consentStatus }).optional(),
  encoding: z.literal("HEX"),
  termsOfService: z.strictObject({ customerMatchTermsOfServiceStatus: z.literal("ACCEPTED") }),
});
const removeAllRequest = z.strictObject({ destinations, removeAsOfTime: z.iso.datetime().optional() });
const newUserList = z.strictObject({
  displayName: z.string().min(1),
  membershipStatus: z.literal("OPEN"),
  membershipDuration: z
    .string()
    .regex(/^\d+s$/)
    .refine((text) => Number.parseInt(text, 10) % 86_400 === 0),
  ingestedUserListInfo: z.strictObject({ uploadKeyTypes: z.tuple([z.literal("CONTACT_ID")]) }),
});

function describeIdentifier(one: z.output<typeof identifier>): string {
  if ("emailAddress" in one) return `email ${one.emailAddress}`;
  if ("phoneNumber" in one) return `phone ${one.phoneNumber}`;
  return `address ${Object.values(one.address).join(" ")}`;
}

type FakeRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
type Work = { polls: number; isProcessed: boolean; process: () => Record<string, number> | undefined };

export function createFakeUserLists({
  customer_id,
  login_customer_id,
}: {
  customer_id: string;
  login_customer_id: string;
}) {
  const account = `accountTypes/GOOGLE_ADS/accounts/${customer_id.replaceAll("-", "")}`;
  const loginAccount = `accountTypes/GOOGLE_ADS/accounts/${login_customer_id}`;
  /** The names of the lists by their IDs. */
  const lists = new Map<string, string>();
  /** The members of each list by the list's name, with the time at which each was last added. */
  const audiences = new Map<string, Map<string, number>>();
  const consents = new Map<string, unknown>();
  const requests = new Map<string, Work>();
  let now = Date.parse("2026-11-20T00:00:00Z");
  let count = 0;

  const createError = (status: number, code: string, reason: string) => ({
    status,
    body: {
      error: {
        code: status,
        message: "secret words of theirs",
        status: code,
        details: [
          { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "datamanager.googleapis.com" },
        ],
      },
    },
  });
  const invalid = (reason: string) => createError(400, "INVALID_ARGUMENT", reason);
  const notFound = () => createError(404, "NOT_FOUND", "NOT_FOUND");

  const accept = (process: Work["process"]) => {
    const requestId = `request-${++count}`;
    requests.set(requestId, { polls: 0, isProcessed: false, process });
    return { body: { requestId } };
  };

  /** Returns the list of a request's only destination. */
  function listOf([destination]: z.output<typeof destinations>): string | undefined {
    const { operatingAccount, loginAccount: login, productDestinationId } = destination ?? {};
    const isAccount = account.endsWith(`/${operatingAccount?.accountId}`) && login?.accountId === login_customer_id;
    return isAccount ? lists.get(productDestinationId ?? "") : undefined;
  }

  function ingest(sent: unknown) {
    const { data } = ingestRequest.safeParse(sent);
    if (!data) return invalid("INVALID_ARGUMENT");
    const name = listOf(data.destinations);
    if (name === undefined) return invalid("INVALID_USER_LIST_ID");
    const addresses = data.audienceMembers.flatMap(({ userData }) =>
      userData.userIdentifiers.flatMap((one) => ("address" in one ? one.address : [])),
    );
    // One record fails the whole request.
    if (addresses.some(({ regionCode, postalCode }) => regionCode === "DE" && !/^\d{5}$/.test(postalCode)))
      return invalid("INVALID_POSTAL_CODE");
    const isDenied = Object.values(data.consent ?? {}).includes("CONSENT_DENIED");
    const addedAt = now;
    consents.set(name, data.consent);
    return accept(() => {
      if (isDenied) return { PROCESSING_ERROR_REASON_DENIED_CONSENT: data.audienceMembers.length };
      const members = audiences.get(name);
      for (const { userData } of data.audienceMembers)
        for (const one of userData.userIdentifiers) members?.set(describeIdentifier(one), addedAt);
      return undefined;
    });
  }

  function removeAll(sent: unknown) {
    const { data } = removeAllRequest.safeParse(sent);
    if (!data) return invalid("INVALID_ARGUMENT");
    const name = listOf(data.destinations);
    if (name === undefined) return invalid("INVALID_USER_LIST_ID");
    const before = data.removeAsOfTime === undefined ? now : Date.parse(data.removeAsOfTime);
    if (before > now) return invalid("INVALID_ARGUMENT");
    return accept(() => {
      const members = audiences.get(name);
      for (const [member, addedAt] of members ?? []) if (addedAt < before) members?.delete(member);
      return undefined;
    });
  }

  function processWork(work: Work): Record<string, number> | undefined {
    const failed = work.isProcessed ? undefined : work.process();
    work.isProcessed = true;
    return failed;
  }

  /** Processes everything that was accepted, in order. */
  function settle(): void {
    for (const work of requests.values()) processWork(work);
  }

  function readStatus(requestId: string | null) {
    const work = requests.get(requestId ?? "");
    if (!work) return invalid("INVALID_REQUEST_ID");
    work.polls += 1;
    if (work.polls < 2) return { body: { requestStatusPerDestination: [{ requestStatus: "PROCESSING" }] } };
    const failed = processWork(work);
    const errorCounts = Object.entries(failed ?? {}).map(([reason, records]) => ({
      reason,
      recordCount: String(records),
    }));
    const outcome = failed ? { requestStatus: "FAILED", errorInfo: { errorCounts } } : { requestStatus: "SUCCESS" };
    return { body: { requestStatusPerDestination: [outcome] } };
  }

  function serveLists({ method, url, body }: FakeRequest, id: string | undefined) {
    if (id !== undefined) {
      const name = lists.get(id);
      if (name === undefined) return notFound();
      if (method === "GET") return { body: { name: `${account}/userLists/${id}`, id, displayName: name } };
      if (method !== "DELETE") return notFound();
      lists.delete(id);
      audiences.delete(name);
      return { body: {} };
    }
    if (method === "GET") {
      const wanted = /^display_name = "([^"]*)" AND membership_status = "OPEN"$/.exec(
        url.searchParams.get("filter") ?? "",
      );
      if (url.searchParams.has("filter") && !wanted) return invalid("INVALID_FILTER");
      const found = [...lists].filter(([, name]) => !wanted || name === wanted[1]);
      // A page has no more than the service likes; it may be empty while there is another.
      const from = Number(url.searchParams.get("pageToken") ?? -1);
      const page = from < 0 ? [] : found.slice(from, from + 1);
      const next = Math.max(from, -1) + 1;
      return {
        body: {
          ...(page.length > 0 && {
            userLists: page.map(([id, displayName]) => ({ name: `${account}/userLists/${id}`, id, displayName })),
          }),
          ...(next < found.length && { nextPageToken: String(next) }),
        },
      };
    }
    const { data } = newUserList.safeParse(JSON.parse(body));
    if (method !== "POST" || !data) return invalid("INVALID_ARGUMENT");
    if ([...lists.values()].includes(data.displayName)) return invalid("DISPLAY_NAME_ALREADY_USED");
    const created = String(++count);
    lists.set(created, data.displayName);
    audiences.set(data.displayName, new Map());
    return { body: { name: `${account}/userLists/${created}`, id: created, ...data } };
  }

  function serve(request: FakeRequest): { status?: number; headers?: Record<string, string>; body: unknown } {
    now += 1_000;
    const { method, url, headers, body } = request;
    const headersOut = { Date: new Date(now).toUTCString() };
    const path = url.pathname.replace("/v1/", "");
    const answer = () => {
      const [, id] = new RegExp(`^${account}/userLists(?:/(\\d+))?$`).exec(path) ?? [];
      if (path.startsWith("accountTypes/")) {
        if (headers["login-account"] !== loginAccount)
          return createError(403, "PERMISSION_DENIED", "PERMISSION_DENIED");
        return path.startsWith(`${account}/userLists`) ? serveLists(request, id) : notFound();
      }
      if (method === "GET" && path === "requestStatus:retrieve") return readStatus(url.searchParams.get("requestId"));
      if (method === "POST" && path === "audienceMembers:ingest") return ingest(JSON.parse(body));
      if (method === "POST" && path === "audienceMembers:removeAll") return removeAll(JSON.parse(body));
      return notFound();
    };
    return { headers: headersOut, ...answer() };
  }

  return { audiences, consents, serve, settle };
}
