import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { freePort } from "./app-server.ts";
import { awaitPort } from "./await-port.ts";

const program = "pgbouncer";

/** Whether PgBouncer is installed; Debian's package has this name. */
export const hasPooler = spawnSync(program, ["--version"]).status === 0;

export type Pooler = { urlOf: (databaseUrl: string) => string; stop: () => Promise<void> };

/** Starts PgBouncer with its default settings for the databases of the server at `clusterUrl` and these roles' URLs. */
export async function startPooler(
  clusterUrl: string,
  { mode, roles }: { mode: "session" | "transaction"; roles: readonly string[] },
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-pooler-"));
  const [port, { port: databasePort }] = [await freePort(), new URL(clusterUrl)];
  const users = roles
    .map((url) => new URL(url))
    .map((url) => `"${url.username}" "${decodeURIComponent(url.password)}"`);
  writeFileSync(join(folder, "users.txt"), `${users.join("\n")}\n`, { mode: 0o644 });
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = ${mode}
`,
  );
  spawnSync("chmod", ["755", folder]);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const running = spawn(program, ["-q", ...asUser, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  const exited = new Promise<void>((done) => running.on("exit", () => done()));
  await awaitPort(port, "PgBouncer");
  return {
    urlOf: (databaseUrl) => tcpUrl(databaseUrl, port),
    async stop() {
      running.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
