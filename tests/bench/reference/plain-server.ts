import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import postgres from "postgres";
import { hostOf } from "#db/connection-target.server.ts";
import { loadPage, readFacts } from "./campaigns/load-page.ts";
import { valuesOf } from "./campaigns/values.ts";

/**
 * The reference for pages and calls: node:http, postgres.js and a string template, with the same session look-up and
 * the same queries, and nothing else. The template is the product's own page (`cut-page.ts`). `node plain-server.ts
 * DATABASE_URL PORT TEMPLATE_FILE`.
 */
const [databaseUrl = "", port = "0", templateFile = ""] = process.argv.slice(2);
const host = hostOf(new URL(databaseUrl));
const sql = postgres(databaseUrl, { max: 10, host });
const template: Record<"head" | "row" | "foot", string[]> = JSON.parse(readFileSync(templateFile, "utf8"));

type Person = {
  id: string;
  email: string;
  name: string;
  picture: string | null;
  user_type: string;
  status: string;
  company_name: string;
  account_id: string;
};

async function personOf(request: IncomingMessage): Promise<Person> {
  const value = /portal_session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const token: string = JSON.parse(atob(decodeURIComponent(value)));
  const hash = createHash("sha256").update(token).digest("hex");
  // biome-ignore lint/plugin/no-hand-typed-rows: the reference does the least that a server can, and parses nothing.
  const [person] = await sql<
    Person[]
  >`select u.id, u.email, u.name, u.picture, a.type as user_type, a.status, a.company_name, a.id as account_id
    from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id where s.token_hash = ${hash} and s.expires_at > now()`;
  if (!person) throw new Error("no session");
  return person;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

async function campaignPage(person: Person, after: string): Promise<string> {
  const { rows, hasMore, facts, all, unread } = await loadPage(sql, person, after);
  const cursor = cursorOf("after", after);
  const frame: Record<string, string> = {
    nonce: randomBytes(16).toString("base64"),
    requestId: randomBytes(9).toString("base64url"),
    count: all.toLocaleString("en-US"),
    cursor,
    previous: cursorOf("before", rows[0]?.id),
    next: hasMore ? cursorOf("after", rows.at(-1)?.id) : "",
    data: dataScript({ rows, all, unread, facts: facts.length }),
  };
  const fillFrame = (name: string) => frame[name] ?? "";
  const { head, row, foot } = template;
  let html = fill(head, fillFrame);
  for (const one of rows) {
    const values: Record<string, string> = valuesOf(one);
    html += fill(row, (name) => (name === "cursor" ? cursor : escapeHtml(values[name] ?? "")));
  }
  return html + fill(foot, fillFrame);
}

/** The pieces with an odd index are names of holes. */
function fill(pieces: readonly string[], fillIn: (name: string) => string): string {
  let text = "";
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? "";
    text += index % 2 === 0 ? piece : fillIn(piece);
  }
  return text;
}

/** The data once more, as the product sends it for hydration. */
function dataScript(data: unknown): string {
  return `window.__remixContext={state:${JSON.stringify(data).replaceAll("<", "\\u003c")}}`;
}

function cursorOf(direction: string, id: unknown): string {
  return `${direction}.${id}.campaigns`;
}

async function publisherCampaigns(person: Person, approval?: string): Promise<string> {
  const rows =
    await sql`select li.*, v.objective, v.ad_format, v.channel_type, v.channels, v.total_budget_cents, v.daily_budget_cents, v.start_date, v.end_date,
      v.geolocations, v.frequency_cap_impressions, v.frequency_cap_period, v.creative_preview_url,
      (select json_agg(json_build_object('id', a.id, 'name', a.name, 'segment', a.segment, 'size', a.size) order by a.name) from version_audiences c
       join audiences a on a.id = c.audience_id where c.campaign_id = li.campaign_id and c.version = li.sent_version and c.publisher_id = li.publisher_id) as audiences
    from line_items li join campaign_versions v on v.campaign_id = li.campaign_id and v.number = li.sent_version
    where li.publisher_id = ${person.account_id} ${approval ? sql`and li.approval_status = ${approval}` : sql``} order by li.id desc limit 26`;
  const shown = rows.slice(0, 25);
  const owner = sql`item.publisher_id = ${person.account_id}`;
  const facts = await readFacts(sql, { owner, ids: shown.map((row) => row.campaign_id) });
  const reasons = new Map(facts.map((fact) => [fact.id, fact.status]));
  const campaigns = shown.map((row) => ({
    id: row.campaign_id,
    name: row.campaign_name,
    advertiser_name: row.advertiser_name,
    approval_status: row.approval_status,
    status: row.status,
    status_reason: reasons.get(row.id),
    objective: row.objective,
    ad_format: row.ad_format,
    channel_type: row.channel_type,
    channels: row.channels,
    total_budget: Number(row.total_budget_cents) / 100,
    daily_budget: Number(row.daily_budget_cents) / 100,
    spent_budget: Number(row.spend_micros) / 1e6,
    start_date: row.start_date,
    end_date: row.end_date,
    selected_audiences: row.audiences.map((audience: { id: string }) => audience.id),
    audiences: row.audiences,
    geolocation_targeting: row.geolocations,
    frequency_cap_impressions: row.frequency_cap_impressions,
    frequency_cap_period: row.frequency_cap_period,
    creative_preview_url: row.creative_preview_url,
    managed_by_retailer: row.managed_by_retailer,
    retailer_commission_rate: row.commission_rate_bps / 100,
    impressions: Number(row.impressions),
    clicks: Number(row.clicks),
    ctr: 0,
    conversions: Number(row.conversions),
  }));
  return JSON.stringify({ campaigns, next_cursor: campaigns.at(-1)?.id ?? null });
}

async function handleRequest(request: IncomingMessage): Promise<{ type: string; body: string }> {
  const person = await personOf(request);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  if (pathname === "/page") {
    const after = searchParams.get("after") ?? "ffffffff-ffff-ffff-ffff-ffffffffffff";
    return { type: "text/html", body: await campaignPage(person, after) };
  }
  if (request.url === "/approval")
    return { type: "application/json", body: await publisherCampaigns(person, "pending") };
  if (request.url === "/retailer") return { type: "application/json", body: await publisherCampaigns(person) };
  const { account_id: _, ...me } = person;
  return { type: "application/json", body: JSON.stringify(me) };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body }: { type: string; body: string },
): void {
  if (!request.headers["accept-encoding"]?.includes("gzip")) {
    response.writeHead(200, { "content-type": type }).end(body);
    return;
  }
  // As the product's middleware does, in a thread of the pool.
  gzip(body, (_error, packed) =>
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(packed),
  );
}

createServer((request, response) => {
  handleRequest(request).then(
    ({ type, body }) => send(request, response, { type, body }),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), "127.0.0.1", () => console.info("ready"));
