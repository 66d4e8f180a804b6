import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFile } from "#app/project-file.server.ts";
import { hasLoadBalancer, temporaryPaths } from "./load-balancer.ts";

const isInstalled = (program: string) => spawnSync(program, ["version"]).status === 0;

/** Whether nginx can be run with the configuration of `deploy`, for which OpenSSL makes a certificate. */
export const hasNginx = hasLoadBalancer && isInstalled("openssl");
export const hasCaddy = isInstalled("caddy");

/**
 * Writes nginx's configuration of `deploy` with a certificate into a folder, and returns the arguments that name it.
 * `around` precedes its http block.
 */
export function nginxArguments(folder: string, { edit = (text: string) => text, around = "" } = {}): string[] {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=endcap.example.com"];
  execFileSync("openssl", [...request, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const configuration = edit(readFileSync(projectFile("deploy/nginx.conf"), "utf8"))
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  const main = join(folder, "nginx.conf");
  writeFileSync(
    main,
    `${around} pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off; ${temporaryPaths(folder)}\n${configuration}\n}\n`,
  );
  return ["-e", join(folder, "error.log"), "-c", main];
}
