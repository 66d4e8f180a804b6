import { person, sql } from "../data.js";
import { loadPage } from "./load-page.js";
import { CampaignPage } from "./markup.js";
import { valuesOf } from "./values.js";

export const dynamic = "force-dynamic";

/** The same page as the product's. The bench writes the imported modules, from its own page and from the plain reference. */
export default async function Page({ searchParams }) {
  const { after = "" } = await searchParams;
  const { rows, hasMore, all } = await loadPage(sql, await person(), after);
  const cursor = cursorOf("after", after);
  const frame = {
    count: all.toLocaleString("en-US"),
    cursor,
    previous: cursorOf("before", rows[0].id),
    next: hasMore ? cursorOf("after", rows.at(-1).id) : "",
  };
  return <CampaignPage frame={frame} rows={rows.map((row) => ({ ...valuesOf(row), cursor }))} />;
}

function cursorOf(direction, id) {
  return `${direction}.${id}.campaigns`;
}
