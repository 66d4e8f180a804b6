import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import postgres from "postgres";

/**
 * The reference for pages and calls: node:http, postgres.js and a string template, with the same session look-up and the
 * same queries, and nothing else. `node plain-server.ts DATABASE_URL PORT`.
 */
const [databaseUrl = "", port = "0"] = process.argv.slice(2);
const sql = postgres(databaseUrl, { max: 10 });

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
  const [rows, counts] = await Promise.all([
    sql`select id, name, status, objective, channels, total_budget_cents, spend_micros, impressions, clicks, revenue_micros, start_date, end_date
      from campaigns where advertiser_id = ${person.account_id} and id < ${after} order by id desc limit 26`,
    sql`select status, campaigns from campaign_counts where advertiser_id = ${person.account_id}`,
  ]);
  const cells = rows.slice(0, 25).map(
    (
      row,
    ) => `<tr><td><a href="/advertiser/campaigns/${row.id}">${escapeHtml(row.name)}</a><small>${row.objective ?? "Not selected"}</small></td>
      <td>${row.status}</td><td>${row.channels.map(escapeHtml).join(" ")}</td><td>${Number(row.spend_micros) / 1e6} of ${Number(row.total_budget_cents) / 100}</td>
      <td>${row.impressions}</td><td>${row.clicks}</td><td>${row.start_date} – ${row.end_date}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><title>My Campaigns</title></head><body><h1>My Campaigns</h1><p>${escapeHtml(person.company_name)}</p>
    <p>${counts.reduce((sum, row) => sum + Number(row.campaigns), 0)} campaigns</p><table><tbody>${cells.join("")}</tbody></table></body></html>`;
}

async function publisherCampaigns(person: Person, approval?: string): Promise<string> {
  const rows =
    await sql`select li.*, v.objective, v.ad_format, v.channel_type, v.channels, v.total_budget_cents, v.daily_budget_cents, v.start_date, v.end_date,
      v.geolocations, v.frequency_cap_impressions, v.frequency_cap_period, v.creative_preview_url,
      (select json_agg(json_build_object('id', a.id, 'name', a.name, 'segment', a.segment, 'size', a.size) order by a.name) from version_audiences c
       join audiences a on a.id = c.audience_id where c.campaign_id = li.campaign_id and c.version = li.sent_version and c.publisher_id = li.publisher_id) as audiences
    from line_items li join campaign_versions v on v.campaign_id = li.campaign_id and v.number = li.sent_version
    where li.publisher_id = ${person.account_id} ${approval ? sql`and li.approval_status = ${approval}` : sql``} order by li.id desc limit 26`;
  const campaigns = rows.slice(0, 25).map((row) => ({
    id: row.campaign_id,
    name: row.campaign_name,
    advertiser_name: row.advertiser_name,
    approval_status: row.approval_status,
    status: row.status,
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

createServer((request, response) => {
  handleRequest(request).then(
    ({ type, body }) => response.writeHead(200, { "content-type": type }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), "127.0.0.1", () => console.info("ready"));
