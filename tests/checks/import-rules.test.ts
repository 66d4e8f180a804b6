import { expect, test } from "vitest";
import { importFindings } from "./example-project.ts";

const from = (name: string, path: string) =>
  `import { ${name} } from "${path}";\nexport const used = () => ${name}.length;\n`;
const stale = (path: string) => from("readStale", path);
const rows = (path: string) => from("rows", path);

const examples = {
  cycles: {
    "app/types/order.ts": `import type { Line } from "./line.ts";\nexport type Order = { lines: Line[] };\n`,
    "app/types/line.ts": `import type { Order } from "./order.ts";\nexport type Line = { order: Order };\n`,
    "app/values/order.ts": `import { one } from "./line.ts";\nexport const two = () => one() + 1;\n`,
    "app/values/line.ts": `import { two } from "./order.ts";\nexport const one = () => two() - 1;\n`,
    "app/shared/money.ts": "export type Cents = number;\n",
    "app/shared/order.ts": `import type { Cents } from "./money.ts";\nexport type Order = { total: Cents };\n`,
    "app/shared/line.ts": `import type { Cents } from "./money.ts";\nexport type Line = { amount: Cents };\n`,
  },
  staleReads: {
    "app/domain/stale-reads.server.ts": `export { replica as readStale } from "../../db/replica/replica.server.ts";\n`,
    "db/replica/replica.server.ts": "export const replica = [1];\n",
    "app/domain/billing/wallet/read-funds.server.ts": stale("../../stale-reads.server.ts"),
    "app/screens/shared/billing/overview/load-billing.server.ts": stale("../../../../domain/stale-reads.server.ts"),
    "app/screens/shared/analytics/load-analytics.server.ts": stale("../../../domain/stale-reads.server.ts"),
    "app/api/endpoints/billing-endpoints.ts": stale("../../domain/stale-reads.server.ts"),
    "app/domain/campaigns/review.server.ts": `export { replica } from "../../../db/replica/replica.server.ts";\n`,
  },
  screens: {
    "app/mail/send-report.ts": rows("../screens/shared/report/rows.ts"),
    "app/api/report-endpoint.ts": rows("../screens/shared/report/rows.ts"),
    "app/root.ts": rows("./screens/shared/report/rows.ts"),
    "app/screens/advertiser/report.ts": rows("../shared/report/rows.ts"),
    "app/screens/shared/report/rows.ts": "export const rows = [1];\n",
  },
};

/** Checked in one run, which takes as long for all examples as for one. */
const checked = importFindings({ ...examples.cycles, ...examples.staleReads, ...examples.screens });

async function findingsOf(files: Record<string, string>): Promise<string[]> {
  return (await checked).filter((finding) => (finding.split(" ", 1)[0] ?? "") in files);
}

test("files that import each other's types or values are reported; files that import a common third are not", async () => {
  expect(await findingsOf(examples.cycles)).toEqual(["app/types/line.ts no-cycles", "app/values/line.ts no-cycles"]);
});

test("a screen, endpoint or verb of money may not read what may be stale, nor the replica; analytics may", async () => {
  expect(await findingsOf(examples.staleReads)).toEqual([
    "app/api/endpoints/billing-endpoints.ts few-stale-reads",
    "app/domain/billing/wallet/read-funds.server.ts few-stale-reads",
    "app/domain/campaigns/review.server.ts one-way-to-the-replica",
    "app/screens/shared/billing/overview/load-billing.server.ts few-stale-reads",
  ]);
});

test("an email, an endpoint and the root may not import a screen; a screen may import another", async () => {
  const importers = ["app/api/report-endpoint.ts", "app/mail/send-report.ts", "app/root.ts"];
  expect(await findingsOf(examples.screens)).toEqual(importers.map((path) => `${path} nothing-imports-screens`));
});
