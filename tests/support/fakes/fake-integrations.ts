import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { serviceApis } from "#app/outbound/service-apis.ts";

/** Local fakes of the integrations, built from their public documentation: paths, headers, pages, limits, errors. */

/** `optedOut`: unsubscribed from email; `suppressed`: Klaviyo must not email the person, whatever the consent is. */
export type Contact = {
  id: string;
  email: string | null;
  phone: string | null;
  optedOut?: true;
  suppressed?: true;
  noCalls?: true;
};
type Lists = Record<string, { name: string; contacts: Contact[] }>;

export type FakeServer = {
  origin: string;
  /** The requests in order: method and path with its query. */
  asked: string[];
  /**
   * Overrides the responses to the next requests, one each; `serve` responds normally, a promise does so once it
   * settles.
   */
  interrupt: (
    ...answers: (
      | "serve"
      | Promise<unknown>
      | { status: number; headers?: Record<string, string>; body?: string; cut?: true }
    )[]
  ) => void;
  stop: () => Promise<void>;
};

type FakeResponse = { status?: number; headers?: Record<string, string>; body: unknown };
type Serve = (request: { method: string; url: URL; headers: IncomingMessage["headers"]; body: string }) => FakeResponse;

/** Pages of 100, with the cursor in a full URL under `links.next`, and keys in `Authorization: Klaviyo-API-Key`. */
export function startKlaviyo({ key, lists }: { key: string; lists: Lists }): Promise<FakeServer> {
  return startFakeServer(({ url, headers }) => {
    const errors = (status: number, code: string) => ({ status, body: { errors: [{ status, code }] } });
    if (headers.authorization !== `Klaviyo-API-Key ${key}`) return errors(401, "not_authenticated");
    if (headers.revision !== serviceApis.klaviyo.version) return errors(400, "missing_revision");
    const [, kind, id, rest] = url.pathname.match(/^\/api\/(lists|segments)(?:\/(\w+)\/(profiles))?$/) ?? [];
    if (!kind) return errors(404, "not_found");
    const matching = Object.entries(lists).filter(([name]) => name.startsWith(`${kind}/`));
    const size = Number(url.searchParams.get("page[size]") ?? (rest ? 20 : 10));
    if (size > (rest ? 100 : 10)) return errors(400, "invalid");
    const cursor = url.searchParams.get("page[cursor]");
    const from = cursor ? Number(Buffer.from(cursor, "base64url").toString()) : 0;
    const contacts = id ? lists[`${kind}/${id}`]?.contacts : [];
    if (!contacts) return errors(404, "not_found");
    const hasSubscriptions = url.searchParams.get("additional-fields[profile]") === "subscriptions";
    const profiles = contacts.slice(from, from + size).map((one) => ({
      type: "profile",
      id: one.id,
      attributes: {
        email: one.email,
        phone_number: one.phone,
        ...(hasSubscriptions && { subscriptions: subscriptionsOf(one) }),
      },
    }));
    const named = matching.slice(from, from + size).map(([name, { name: title }]) => ({
      type: kind === "lists" ? "list" : "segment",
      id: name.split("/")[1],
      attributes: { name: title },
    }));
    const count = id ? contacts.length : matching.length;
    const next = new URL(url);
    next.searchParams.set("page[cursor]", Buffer.from(String(from + size)).toString("base64url"));
    const links = { self: url.href, next: from + size < count ? next.href : null };
    return { body: { data: id ? profiles : named, links } };
  });
}

function subscriptionsOf({ optedOut, suppressed, noCalls }: Contact) {
  const suppression = suppressed ? [{ reason: "USER_SUPPRESSED", timestamp: "2026-05-01T10:00:00+00:00" }] : [];
  return {
    email: { marketing: { consent: optedOut ? "UNSUBSCRIBED" : "SUBSCRIBED", suppression, list_suppressions: [] } },
    sms: { marketing: { consent: noCalls ? "NEVER_SUBSCRIBED" : "SUBSCRIBED" } },
  };
}

/** Lists by POST, memberships by `after`, contacts in batches of 100 with 207 if some are deleted. */
export function startHubspot({ token, lists }: { token: string; lists: Lists }): Promise<FakeServer> {
  const { version } = serviceApis.hubspot;
  return startFakeServer(({ method, url, headers, body }) => {
    const error = (status: number, category: string) => ({ status, body: { status: "error", category } });
    if (headers.authorization !== `Bearer ${token}`) return error(401, "INVALID_AUTHENTICATION");
    if (method === "POST" && url.pathname === `/crm/lists/${version}/search`) {
      const { count, offset } = JSON.parse(body);
      const found = Object.entries(lists).map(([listId, { name, contacts }]) => ({
        listId,
        name,
        objectTypeId: name.startsWith("Companies") ? "0-2" : "0-1",
        processingType: "MANUAL",
        additionalProperties: { hs_list_size: String(contacts.length) },
      }));
      const page = found.slice(offset, offset + count);
      const end = offset + page.length;
      return { body: { lists: page, hasMore: end < found.length, offset: end, total: found.length } };
    }
    if (method === "POST" && url.pathname === `/crm/objects/${version}/contacts/batch/read`) {
      const inputs: { id: string }[] = JSON.parse(body).inputs;
      if (inputs.length > 100) return error(400, "VALIDATION_ERROR");
      const all = Object.values(lists).flatMap(({ contacts }) => contacts);
      const known = new Map(all.filter(({ email }) => email !== "gone").map((one) => [one.id, one]));
      const results = inputs.flatMap(({ id }) => known.get(id) ?? []);
      const properties = results.map(({ id, email, phone, optedOut }) => ({
        id,
        properties: { email, phone: "", mobilephone: phone, hs_email_optout: optedOut ? "true" : "" },
      }));
      return { status: results.length < inputs.length ? 207 : 200, body: { status: "COMPLETE", results: properties } };
    }
    const [, listId] = new RegExp(`^/crm/lists/${version}/(\\d+)/memberships$`).exec(url.pathname) ?? [];
    const list = listId ? lists[listId] : undefined;
    if (!list) return error(404, "OBJECT_NOT_FOUND");
    const limit = Number(url.searchParams.get("limit") ?? 100);
    const from = Number(url.searchParams.get("after") ?? 0);
    const results = list.contacts.slice(from, from + limit).map(({ id }) => ({ recordId: id }));
    const more = from + limit < list.contacts.length;
    return { body: { results, ...(more && { paging: { next: { after: String(from + limit) } } }) } };
  });
}

/** The client credentials flow, queries, and further pages of a result under `nextRecordsUrl`. */
export function startSalesforce({ secret, lists }: { secret: string; lists: Lists }): Promise<FakeServer> {
  const inAPage = 200;
  const records = (contacts: Contact[]) =>
    contacts.map(({ email, phone, optedOut = false, noCalls = false }) => ({
      Email: email,
      Phone: phone,
      MobilePhone: null,
      HasOptedOutOfEmail: optedOut,
      DoNotCall: noCalls,
    }));
  return startFakeServer(({ method, url, headers, body }) => {
    if (method === "POST" && url.pathname === "/services/oauth2/token") {
      const form = new URLSearchParams(body);
      const good = form.get("grant_type") === "client_credentials" && form.get("client_secret") === secret;
      return good ? { body: { access_token: "a token" } } : { status: 400, body: { error: "invalid_client" } };
    }
    if (headers.authorization !== "Bearer a token") return { status: 401, body: [{ errorCode: "INVALID_SESSION_ID" }] };
    const soql = url.searchParams.get("q") ?? "";
    if (/FROM Campaign /.test(soql)) {
      const found = Object.entries(lists).map(([Id, { name, contacts }]) => ({
        Id,
        Name: name,
        NumberOfContacts: contacts.length,
      }));
      return { body: { totalSize: found.length, done: true, records: found } };
    }
    const [, resumed, at] = url.pathname.match(/\/query\/(\w+)-(\d+)$/) ?? [];
    const campaign = /CampaignId = '(\w+)'/.exec(soql)?.[1] ?? resumed;
    const contacts =
      campaign && campaign !== "all" ? lists[campaign]?.contacts : Object.values(lists).flatMap((one) => one.contacts);
    const from = Number(at ?? 0);
    const page = records((contacts ?? []).slice(from, from + inAPage));
    const end = from + page.length;
    const done = end >= (contacts ?? []).length;
    const nextRecordsUrl = `/services/data/v61.0/query/${campaign ?? "all"}-${end}`;
    return { body: { totalSize: contacts?.length ?? 0, done, ...(!done && { nextRecordsUrl }), records: page } };
  });
}

/** Starts a local server that records each request and responds as `serve` says. */
export async function startFakeServer(serve: Serve): Promise<FakeServer> {
  const requests: string[] = [];
  const interruptions: Parameters<FakeServer["interrupt"]> = [];
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const next = interruptions.shift();
    if (next instanceof Promise) await next;
    const interruption = next === "serve" || next instanceof Promise ? undefined : next;
    if (interruption?.cut) return void request.socket.destroy();
    if (interruption)
      return void response.writeHead(interruption.status, interruption.headers).end(interruption.body ?? "{}");
    const body = Buffer.concat(chunks).toString("utf8");
    const created = serve({ method: request.method ?? "GET", url, headers: request.headers, body });
    response
      .writeHead(created.status ?? 200, { "Content-Type": "application/json", ...created.headers })
      .end(JSON.stringify(created.body));
  };
  const server = createServer((request, response) => void handleRequest(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const stop = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return {
    origin: `http://127.0.0.1:${address.port}`,
    asked: requests,
    interrupt: (...more) => void interruptions.push(...more),
    stop,
  };
}

/** Returns that many contacts with distinct email addresses. */
export function makeContacts(name: string, count: number): Contact[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(100_000 + index),
    email: `${name}${index}@example.com`,
    phone: null,
  }));
}
