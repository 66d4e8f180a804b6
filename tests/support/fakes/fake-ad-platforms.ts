import { createFakeUserLists } from "./fake-data-manager.ts";
import { type FakeServer, startFakeServer } from "./fake-integrations.ts";

/**
 * Local fakes of the advertising platforms, built from their public documentation: headers, multipart, pages, jobs,
 * limits, errors.
 */

/** A campaign of the platform and its ad groups, with the delivery of each per day. */
type RemoteCampaign = {
  id: string;
  name: string;
  running: boolean;
  removed?: boolean;
  /** Google's Performance Max. */
  hasNoGroups?: boolean;
};
type RemoteDay = {
  day: string;
  campaign: string;
  group: string;
  impressions: number;
  clicks: number;
  /** In dollars. */
  spend: string;
  conversions?: number;
  /** Only Meta reports it. */
  reach?: number;
  revenue?: number;
};

export type FakeAdPlatform = FakeServer & {
  currency: string;
  campaigns: RemoteCampaign[];
  days: RemoteDay[];
  /** The members of each audience by its name, as `email <hash>`. */
  audiences: Map<string, { readonly size: number; has: (member: string) => boolean; keys: () => Iterable<string> }>;
  /** The consent that the latest request for each audience stated, by the audience's name. Only Google takes one. */
  consents: Map<string, unknown>;
  /** Invalidates all tokens issued so far. */
  expireTokens: () => void;
  /** Whether report requests are rate limited from now on. */
  isBusy: boolean;
  /** Lets the platform process everything that it accepted. */
  settle: () => void;
  /** Whether all audiences are flagged from now on, which are then not changed. Only Meta flags them. */
  isFlagged: boolean;
};

export const googleCredentials = {
  client_id: "client",
  client_secret: "client-secret",
  refresh_token: "refresh-secret",
  customer_id: "123-456-7890",
  login_customer_id: "9998887776",
};

/**
 * Google's token endpoint, the Google Ads API and the Data Manager API on one origin. A stream's parts contain two
 * rows.
 */
export async function startFakeGoogleAds(): Promise<FakeAdPlatform> {
  const lists = createFakeUserLists(googleCredentials);
  let generation = 1;
  const createError = (status: number, errorCode: Record<string, string>, details?: object) => ({
    status,
    body: {
      error: {
        code: status,
        message: "secret words of theirs",
        status: status === 429 ? "RESOURCE_EXHAUSTED" : "INVALID_ARGUMENT",
        details: [
          {
            "@type": "type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure",
            errors: [{ errorCode, message: "words", details }],
          },
        ],
      },
    },
  });
  const stream = (results: object[]) => {
    const parts = [];
    for (let from = 0; from < results.length; from += 2)
      parts.push({ results: results.slice(from, from + 2), requestId: "r" });
    return { body: parts };
  };
  const search = (query: string) => {
    const inQuotes = [.../'((?:\\.|[^'])*)'/g[Symbol.matchAll](query)].map((match) => match[1] ?? "");
    const [, from] = / FROM (\w+)/.exec(query) ?? [];
    if (from === "customer")
      return stream([{ customer: { id: "1234567890", currencyCode: remote.currency, timeZone: "America/New_York" } }]);
    if (from === "campaign" && !query.includes("segments.date")) {
      const wanted = (inQuotes[0] ?? "").replaceAll("%", "");
      const found = remote.campaigns.filter(({ name, removed }) => name.includes(wanted) && !removed);
      return stream(
        found.map(({ id, name, running }) => ({
          campaign: { resourceName: id, name, status: running ? "ENABLED" : "PAUSED" },
        })),
      );
    }
    const isByGroup = from === "ad_group";
    if (!isByGroup && !(from === "campaign" && inQuotes.includes("PERFORMANCE_MAX")))
      return createError(400, { queryError: "BAD_RESOURCE_TYPE_IN_FROM_CLAUSE" });
    const hasGroups = (name: string) => !remote.campaigns.some((one) => one.name === name && one.hasNoGroups);
    const rows = remote.days.filter(
      ({ day, campaign }) => day === inQuotes[0] && campaign.includes("endcap:") && hasGroups(campaign) === isByGroup,
    );
    // Zero values are omitted, and integers are strings.
    return stream(
      rows.map((row) => ({
        customer: { resourceName: "customers/1234567890", currencyCode: remote.currency },
        campaign: { resourceName: "customers/1234567890/campaigns/1", name: row.campaign },
        ...(isByGroup && { adGroup: { resourceName: "customers/1234567890/adGroups/1", name: row.group } }),
        metrics: {
          ...(row.impressions && { impressions: String(row.impressions) }),
          ...(row.clicks && { clicks: String(row.clicks) }),
          ...(Number(row.spend) && { costMicros: String(Math.round(Number(row.spend) * 1e6)) }),
          ...(row.conversions && { conversions: row.conversions }),
          ...(row.revenue && { conversionsValue: row.revenue }),
        },
        segments: { date: row.day },
      })),
    );
  };
  const server = await startFakeServer(({ method, url, headers, body }) => {
    if (url.pathname === "/token") {
      const form = new URLSearchParams(body);
      const good =
        form.get("grant_type") === "refresh_token" && form.get("refresh_token") === googleCredentials.refresh_token;
      if (!good || form.get("client_secret") !== googleCredentials.client_secret)
        return { status: 400, body: { error: "invalid_grant", error_description: "secret words of theirs" } };
      return { body: { access_token: `at-${generation}`, expires_in: 3_599, token_type: "Bearer" } };
    }
    const [, path] = /^\/v26\/customers\/1234567890\/(.+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const deny = (status: number, errorCode: Record<string, string>) => {
      const error = createError(status, errorCode);
      return path === "googleAds:searchStream" ? { ...error, body: [error.body] } : error;
    };
    if (headers.authorization !== `Bearer at-${generation}`)
      return deny(401, { authenticationError: "OAUTH_TOKEN_EXPIRED" });
    if (url.pathname.startsWith("/v1/")) return lists.serve({ method, url, headers, body });
    if (headers["login-customer-id"] !== googleCredentials.login_customer_id)
      return deny(403, { authorizationError: "USER_PERMISSION_DENIED" });
    const sent = body === "" ? {} : JSON.parse(body);
    if (method !== "POST" || !path) return { status: 404, body: {} };
    if (path === "googleAds:searchStream") return search(sent.query);
    const [operation] = sent.operations ?? [];
    if (path === "campaigns:mutate") {
      const campaign = remote.campaigns.find(({ id }) => id === operation.update.resourceName);
      if (!campaign || operation.updateMask !== "status")
        return createError(400, { mutateError: "RESOURCE_NOT_FOUND" });
      campaign.running = operation.update.status === "ENABLED";
      return { body: { results: [{ resourceName: campaign.id }] } };
    }
    return { status: 404, body: {} };
  });
  const remote: FakeAdPlatform = {
    ...server,
    currency: "USD",
    campaigns: [],
    days: [],
    audiences: lists.audiences,
    consents: lists.consents,
    isBusy: false,
    isFlagged: false,
    settle: lists.settle,
    expireTokens: () => {
      generation += 1;
    },
  };
  return remote;
}

export const metaGiven = { access_token: "meta-secret", ad_account_id: "act_1112223334", app_secret: "app-secret" };

/** Meta's Graph API: every error is a 400 with a code; pages have three items, and the next URL is on another path. */
export async function startMeta(): Promise<FakeAdPlatform> {
  const names = new Map<string, string>();
  const sessions = new Map<string, { members: Set<string>; batches: number }>();
  const audiences = new Map<string, Set<string>>();
  const runs = new Map<string, { rows: object[]; asked: number }>();
  let token = metaGiven.access_token;
  let count = 100;
  const createError = (code: number, error_subcode?: number) => ({
    status: 400,
    body: {
      error: { message: "secret words of theirs", type: "OAuthException", code, error_subcode, fbtrace_id: "x" },
    },
  });
  const paged = (all: object[], query: URLSearchParams) => {
    const from = Number(query.get("after") ?? 0);
    const data = all.slice(from, from + 3);
    const more = from + 3 < all.length;
    const cursors = { before: String(from), after: String(from + 3) };
    return { body: { data, paging: { cursors, ...(more && { next: "http://169.254.169.254/next" }) } } };
  };
  /** Those of deleted campaigns only where the filter asks for their state. */
  const rowsOf = (day: string, filtering: { field: string; value: unknown }[]) => {
    const states = filtering.find(({ field }) => field === "adset.effective_status")?.value;
    const isReported = ({ campaign }: RemoteDay) =>
      (Array.isArray(states) && states.includes("DELETED")) ||
      !remote.campaigns.some(({ name, removed }) => name === campaign && removed);
    return remote.days
      .filter((row) => row.day === day && row.campaign.includes("endcap:") && isReported(row))
      .map((row) => ({
        account_currency: remote.currency,
        campaign_name: row.campaign,
        adset_name: row.group,
        date_start: day,
        date_stop: day,
        impressions: String(row.impressions),
        spend: row.spend,
        ...(row.reach && { reach: String(row.reach) }),
        ...(row.clicks && { inline_link_clicks: String(row.clicks) }),
        ...(row.conversions && {
          actions: [
            { action_type: "link_click", value: "9" },
            { action_type: "omni_purchase", value: String(row.conversions) },
          ],
          action_values: [{ action_type: "omni_purchase", value: String(row.revenue) }],
        }),
      }));
  };
  const server = await startFakeServer(({ method, url, headers, body }) => {
    if (headers.authorization !== `Bearer ${token}`) return createError(190, 463);
    const form = method === "POST" ? new URLSearchParams(body) : url.searchParams;
    if (!/^[0-9a-f]{64}$/.test(form.get("appsecret_proof") ?? "")) return createError(100);
    const [, path = ""] = /^\/v25\.0\/(.+)$/.exec(url.pathname) ?? [];
    const read = (name: string) => JSON.parse(form.get(name) ?? "null");
    const account = `act_${1_112_223_334}`;
    if (path === account)
      return {
        body: { account_id: "1112223334", id: account, currency: remote.currency, timezone_name: "Asia/Tokyo" },
      };
    if (path === `${account}/campaigns`) {
      const [{ value }] = read("filtering");
      const found = remote.campaigns.filter(({ name }) => name.includes(value));
      return paged(
        found.map(({ id, name, running, removed }) => ({
          id,
          name,
          status: removed ? "DELETED" : running ? "ACTIVE" : "PAUSED",
        })),
        form,
      );
    }
    if (path === `${account}/customaudiences` && method === "GET")
      return paged(
        [...names].filter(([, name]) => name === read("filtering")[0].value).map(([id, name]) => ({ id, name })),
        form,
      );
    if (path === `${account}/customaudiences`) {
      if (form.get("subtype") !== "CUSTOM" || form.get("customer_file_source") === null) return createError(100);
      const id = String(++count);
      names.set(id, form.get("name") ?? "");
      audiences.set(form.get("name") ?? "", new Set());
      return { body: { id } };
    }
    if (path === `${account}/insights`) {
      const { since, until } = read("time_range");
      if (since !== until || form.get("time_increment") !== "1" || form.get("level") !== "adset")
        return createError(100);
      const rows = rowsOf(since, read("filtering"));
      if (method === "GET") return remote.isBusy ? createError(1, 99) : paged(rows, form);
      const run = String(++count);
      runs.set(run, { rows, asked: 0 });
      return { body: { report_run_id: run } };
    }
    const [, id = "", edge] = /^(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
    const run = runs.get(id);
    if (run && edge === "insights") return run.asked > 1 ? paged(run.rows, form) : createError(100);
    if (run)
      return {
        body: { id, async_status: ++run.asked > 1 ? "Job Completed" : "Job Running", async_percent_completion: 50 },
      };
    const campaign = remote.campaigns.find((one) => one.id === id);
    if (campaign && method === "POST") {
      campaign.running = form.get("status") === "ACTIVE";
      return { body: { success: true } };
    }
    const name = names.get(id);
    if (name === undefined) return createError(100, 33);
    if (method === "DELETE") {
      names.delete(id);
      audiences.delete(name);
      return { body: { success: true } };
    }
    if (edge === undefined) return { body: { id, operation_status: { code: remote.isFlagged ? 471 : 200 } } };
    if (remote.isFlagged && audiences.get(name)?.size) return createError(100, 1_713_230);
    const { session_id, batch_seq, last_batch_flag } = read("session");
    const { schema, data } = read("payload");
    const isKnown = ["EMAIL,PHONE", "EMAIL,PHONE,FN,LN,ZIP,COUNTRY"].includes(String(schema));
    if (!isKnown || data.length > 10_000) return createError(100);
    const replaced = edge === "usersreplace" ? new Set<string>() : audiences.get(name);
    const session = sessions.get(String(session_id)) ?? { members: replaced ?? new Set(), batches: 0 };
    if (batch_seq !== session.batches + 1 && batch_seq !== session.batches) return createError(100);
    session.batches = batch_seq;
    sessions.set(String(session_id), session);
    for (const [email, phone, ...address] of data) {
      if (email) session.members.add(`email ${email}`);
      if (phone) session.members.add(`phone ${phone}`);
      if (address.some((key: string) => key !== "")) session.members.add(`address ${address.join(" ")}`);
    }
    if (edge === "users" || last_batch_flag) audiences.set(name, session.members);
    return {
      body: { audience_id: id, session_id: String(session_id), num_received: data.length, num_invalid_entries: 0 },
    };
  });
  const remote: FakeAdPlatform = {
    ...server,
    currency: "USD",
    campaigns: [],
    days: [],
    audiences,
    consents: new Map(),
    isBusy: false,
    isFlagged: false,
    settle: () => undefined,
    expireTokens: () => {
      token = "another";
    },
  };
  return remote;
}
