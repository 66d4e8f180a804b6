import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awaitPort } from "./await-port.ts";

const program = "nginx";

/** Whether nginx is installed. */
export const hasLoadBalancer = spawnSync(program, ["-v"]).status === 0;

/** Returns the statements by which nginx keeps what it spools in a folder. */
export function temporaryPaths(folder: string): string {
  const names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return names.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
}

export type LoadBalancer = {
  origin: string;
  /** What nginx wrote into its error log. */
  errors: () => string;
  stop: () => Promise<void>;
};

/**
 * Starts nginx in front of the servers on these ports. It asks no server whether it is ready: it tries the next one
 * where a connection is refused or ends without a response.
 */
export async function startLoadBalancer(ports: readonly number[], port: number): Promise<LoadBalancer> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-nginx-"));
  const servers = ports.map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`).join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; ${temporaryPaths(folder)}
  upstream app { ${servers} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`,
  );
  const running = spawn(program, ["-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
    stdio: "ignore",
  });
  const exited = new Promise<void>((done) => running.on("exit", () => done()));
  await awaitPort(port, program);
  return {
    origin: `http://localhost:${port}`,
    errors: () => readFileSync(join(folder, "error.log"), "utf8"),
    async stop() {
      running.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
