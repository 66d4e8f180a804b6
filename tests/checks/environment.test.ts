import { expect, test } from "vitest";
import { lintFindings } from "./example-project.ts";

const message = "Ask env() of app/env.server.ts: it alone reads the environment.";
const read = "export const port = process.env.PORT;\n";

test("every way to read the environment is reported", async () => {
  const code = `import { env } from "node:process";
import * as program from "process";
const { env: other } = process;
export const ports = [process.env.PORT, process.env["PORT"], process?.env.PORT];
export const computed = process["env"];
export const global = globalThis.process.env;
export const rest = [env, program, other, process.pid, process.argv];
`;
  const lines = [1, 2, 3, 4, 4, 4, 5, 6];
  expect(await lintFindings({ "server/example.ts": code })).toEqual(
    lines.map((line) => `server/example.ts:${line} ${message}`),
  );
});

test("app/env.server.ts and tests may read the environment; no other product file may", async () => {
  const folders = ["app/domain", "db", "server", "commands"];
  const findings = await lintFindings({
    "app/env.server.ts": read,
    "tests/example.test.ts": read,
    ...Object.fromEntries(folders.map((folder) => [`${folder}/env.server.ts`, read])),
  });
  expect(findings).toEqual(folders.map((folder) => `${folder}/env.server.ts:1 ${message}`).sort());
});
