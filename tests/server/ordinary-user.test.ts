import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startAppServer } from "#tests/support/servers/app-server.ts";
import { canRunAsNobody, nobody, runAsNobody } from "#tests/support/servers/as-nobody.ts";

test.skipIf(!canRunAsNobody(process.cwd()))(
  "an ordinary user runs a finished build whose files it cannot write, with its own database",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "endcap-nobody-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    chownSync(dataDir, nobody, nobody);
    chmodSync(dataDir, 0o700);
    const environment = { RATE_LIMITS: "off", DEMO_DATA: "off", HOME: dataDir };
    const server = await startAppServer({ dataDir, environment, runBy: runAsNobody });
    onTestFinished(() => void server.process.kill());
    const ready = await fetch(`${server.origin}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready" }]);
    expect((await fetch(server.origin)).status).toBe(200);
    expect(server.output()).not.toMatch(/Building|EACCES|EROFS/);
    expect(await server.stop()).toBe(0);
  },
  180_000,
);
