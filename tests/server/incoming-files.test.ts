import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase();

test("a server whose jobs run in another process deletes what uploads left in its own folder more than a day ago", {
  timeout: 400_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "endcap-incoming-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const [old, recent] = [join(dataDir, "incoming", "old"), join(dataDir, "incoming", "recent")];
  mkdirSync(join(dataDir, "incoming"));
  for (const path of [old, recent]) writeFileSync(path, "image");
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  utimesSync(old, twoDaysAgo, twoDaysAgo);
  const server = await startAppServer({
    dataDir,
    databaseUrl: db.ownerUrl(),
    environment: { WORKER: "off", DEMO_DATA: "off" },
  });
  onTestFinished(() => server.kill());
  await vi.waitFor(() => expect(existsSync(old)).toBe(false), { timeout: 30_000, interval: 200 });
  expect(existsSync(recent)).toBe(true);
});
