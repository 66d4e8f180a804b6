/** The texts of a campaign's row, as the product shows them. */
export type Values = Record<
  "id" | "name" | "status" | "objective" | "channel" | "spent" | "budget" | "impressions" | "clicks" | "start" | "end",
  string
>;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const labels: Record<string, string> = { active: "Active", traffic: "Traffic", dv360: "DV360" };
const count = new Intl.NumberFormat("en-US");

/** Returns the texts of a row of the database, which has what `load-page.ts` selects. */
export function valuesOf(row: Record<string, unknown>): Values {
  const [, startMonth, startDay] = String(row.start_date).split("-").map(Number);
  const [endYear, endMonth, endDay] = String(row.end_date).split("-").map(Number);
  const label = (name: unknown) => labels[String(name)] ?? String(name);
  return {
    id: String(row.id),
    name: String(row.name),
    status: label(row.status),
    objective: label(row.objective),
    channel: Array.isArray(row.channels) ? label(row.channels[0]) : "",
    spent: `$${count.format(Number(row.spend_micros) / 1e6)}`,
    budget: `$${count.format(Number(row.total_budget_cents) / 100)}`,
    impressions: count.format(Number(row.impressions)),
    clicks: count.format(Number(row.clicks)),
    start: `${months[(startMonth ?? 1) - 1]} ${startDay}`,
    end: `${months[(endMonth ?? 1) - 1]} ${endDay}, ${endYear}`,
  };
}
