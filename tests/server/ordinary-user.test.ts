import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startAppServer } from "#tests/support/servers/app-server.ts";

/** The user "nobody", which owns nothing. */
const nobody = 65_534;
const runBy = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"];
const asNobody = (...command: string[]) => spawnSync(runBy[0] ?? "", [...runBy.slice(1), ...command]).status === 0;
/** Needs root, to become another user, and a folder that everyone can read and nobody else can write. */
const canTry =
  process.getuid?.() === 0 &&
  asNobody(process.execPath, "-e", "require('node:fs').accessSync('package.json')") &&
  !asNobody("sh", "-c", "test -w package.json");

test.skipIf(!canTry)(
  "an ordinary user runs a finished build whose files it cannot write, with its own database",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "endcap-nobody-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    chownSync(dataDir, nobody, nobody);
    chmodSync(dataDir, 0o700);
    const environment = { RATE_LIMITS: "off", DEMO_DATA: "off", HOME: dataDir };
    const server = await startAppServer({ dataDir, environment, runBy });
    onTestFinished(() => void server.process.kill());
    const ready = await fetch(`${server.origin}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready" }]);
    expect((await fetch(server.origin)).status).toBe(200);
    expect(server.output()).not.toMatch(/Building|EACCES|EROFS/);
    expect(await server.stop()).toBe(0);
  },
  180_000,
);
