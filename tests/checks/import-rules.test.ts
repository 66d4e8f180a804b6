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
