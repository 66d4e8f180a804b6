import { expect, test } from "vitest";
import { importFindings } from "./example-project.ts";

test("files that import each other's types or values are reported; files that import a common third are not", async () => {
  const findings = await importFindings({
    "app/types/order.ts": `import type { Line } from "./line.ts";\nexport type Order = { lines: Line[] };\n`,
    "app/types/line.ts": `import type { Order } from "./order.ts";\nexport type Line = { order: Order };\n`,
    "app/values/order.ts": `import { one } from "./line.ts";\nexport const two = () => one() + 1;\n`,
    "app/values/line.ts": `import { two } from "./order.ts";\nexport const one = () => two() - 1;\n`,
    "app/shared/money.ts": "export type Cents = number;\n",
    "app/shared/order.ts": `import type { Cents } from "./money.ts";\nexport type Order = { total: Cents };\n`,
    "app/shared/line.ts": `import type { Cents } from "./money.ts";\nexport type Line = { amount: Cents };\n`,
  });
  expect(findings).toEqual(["app/types/line.ts no-cycles", "app/values/line.ts no-cycles"]);
});

test("a screen, endpoint or verb of money may not read what may be stale, nor the replica; analytics may", async () => {
  const imports = (path: string) => `import { readStale } from "${path}";\nexport const read = readStale;\n`;
  const findings = await importFindings({
    "app/domain/stale-reads.server.ts": `export { replica as readStale } from "../../db/replica/replica.server.ts";\n`,
    "db/replica/replica.server.ts": "export const replica = [1];\n",
    "app/domain/billing/wallet/read-funds.server.ts": imports("../../stale-reads.server.ts"),
    "app/screens/shared/billing/overview/load-billing.server.ts": imports("../../../../domain/stale-reads.server.ts"),
    "app/screens/shared/analytics/load-analytics.server.ts": imports("../../../domain/stale-reads.server.ts"),
    "app/api/endpoints/billing-endpoints.ts": imports("../../domain/stale-reads.server.ts"),
    "app/domain/campaigns/review.server.ts": `export { replica } from "../../../db/replica/replica.server.ts";\n`,
  });
  expect(findings).toEqual([
    "app/api/endpoints/billing-endpoints.ts few-stale-reads",
    "app/domain/billing/wallet/read-funds.server.ts few-stale-reads",
    "app/domain/campaigns/review.server.ts one-way-to-the-replica",
    "app/screens/shared/billing/overview/load-billing.server.ts few-stale-reads",
  ]);
});

test("an email, an endpoint and the root may not import a screen; a screen may import another", async () => {
  const imports = (path: string) => `import { rows } from "${path}";\nexport const shown = rows;\n`;
  const findings = await importFindings({
    "app/mail/send-report.ts": imports("../screens/shared/report/rows.ts"),
    "app/api/report-endpoint.ts": imports("../screens/shared/report/rows.ts"),
    "app/root.ts": imports("./screens/shared/report/rows.ts"),
    "app/screens/advertiser/report.ts": imports("../shared/report/rows.ts"),
    "app/screens/shared/report/rows.ts": "export const rows = [1];\n",
  });
  const rule = "nothing-imports-screens";
  expect(findings).toEqual(
    ["app/api/report-endpoint.ts", "app/mail/send-report.ts", "app/root.ts"].map((path) => `${path} ${rule}`),
  );
});
