import { person, sql } from "../data.js";
import { CampaignTable } from "./table.jsx";

export const dynamic = "force-dynamic";

export default async function Page({ searchParams }) {
  const { after = "ffffffff-ffff-ffff-ffff-ffffffffffff" } = await searchParams;
  const { account_id: account, company_name: company } = await person();
  const [rows, counts] = await Promise.all([
    sql`select id, name, status, objective, channels, total_budget_cents, spend_micros, impressions, clicks, revenue_micros, start_date::text, end_date::text
      from campaigns where advertiser_id = ${account} and id < ${after} order by id desc limit 26`,
    sql`select status, campaigns from campaign_counts where advertiser_id = ${account}`,
  ]);
  return (
    <>
      <h1>My Campaigns</h1>
      <p>{company}</p>
      <p>{counts.reduce((sum, row) => sum + Number(row.campaigns), 0)} campaigns</p>
      <CampaignTable rows={rows.slice(0, 25).map((row) => ({ ...row }))} />
    </>
  );
}
