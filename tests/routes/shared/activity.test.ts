import { expect, it } from "vitest";
import { z } from "zod";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import * as file from "#app/screens/shared/activity/list/csv.ts";
import * as screen from "#app/screens/shared/activity/list/route.tsx";
import { campaigns } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const page = z.object({
  lines: z.array(z.object({ who: z.string(), kind: z.string(), verb: z.string(), name: z.string() })),
  exportHref: z.string(),
});

async function shown(query = "", who: "northwind" | "brightside" = "northwind") {
  return page.parse((await visit(world(), who, screen.loader, `/advertiser/activity${query}`)).body);
}

it("shows the account's own trail by the filters of the URL, and none of another's", async () => {
  const id = await world().aLaunchedCampaign({ audiences: ["hikers"] });
  await reviewCampaign(world().harbor, { id, action: "reject", notes: '=1+1, not "now"' });
  expect((await shown()).lines.map(({ who, verb, name, kind }) => `${who} ${verb} ${name} (${kind})`)).toEqual([
    "Harbor Goods rejected Ridgeline Packs (campaigns)",
    "You launched Ridgeline Packs (campaigns)",
    "You created Ridgeline Packs (campaigns)",
  ]);
  const { lines, exportHref } = await shown("?kind=campaigns&who=others&from=2026-11-20&q=ridge");
  expect(lines).toHaveLength(1);
  expect(exportHref).toBe("/advertiser/activity/export.csv?kind=campaigns&who=others&from=2026-11-20&q=ridge");
  expect((await shown("", "brightside")).lines).toEqual([]);
  for (const query of ["?kind=nonsense&who=1&from=2026-02-31&to=x&cursor=%00", "?q=%00%25'", `?q=${"x".repeat(500)}`])
    await expect(shown(query)).resolves.toBeDefined();
});

it("is available as a file too, in which no text is a formula", async () => {
  await world().db.update(campaigns).set({ name: "=cmd()" });
  const option = await visit(world(), "northwind", file.loader, "/advertiser/activity/export.csv?who=others");
  const text = z.string().parse(option.body);
  expect(text.split("\r\n")).toEqual([
    "Time (UTC),Actor,Event,Object,Type,Source,Notes,Changes,ID",
    expect.stringMatching(
      /^2026-11-20T12:00:00.000Z,Harbor Goods,Harbor Goods rejected “=cmd\(\)”,'=cmd\(\),Campaigns,Portal,"'=1\+1, not ""now""",,[0-9a-f-]{36}$/,
    ),
    "",
  ]);
});
