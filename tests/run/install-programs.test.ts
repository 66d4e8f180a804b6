import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";

/** The programs that the script itself runs. */
const usual = ["env", "id", "timeout", "sleep"];

/** Runs the script where only these programs are, each a shell script; as root, whoever runs the tests. */
function install(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "endcap-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of usual) {
    const found = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
    if (found && name !== "id") symlinkSync(found, join(folder, name));
  }
  for (const [name, body] of Object.entries({ id: "echo 0", ...programs })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const asked = join(folder, "asked");
  const { status, stdout } = spawnSync("/bin/sh", [projectFile(".ci/install-programs")], {
    env: { NODE_ENV: "test", PATH: folder, ASKED: asked, INSTALL_TIMEOUT: "1" },
    encoding: "utf8",
  });
  return { status, stdout, asked: existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [] };
}

const skipped = "Not installed, so that tests that need them are skipped: pgbouncer nginx caddy\n";

test("programs that are there are not installed", () => {
  const apt = 'echo "$@" >> "$ASKED"';
  expect(install({ pgbouncer: "", nginx: "", caddy: "", "apt-get": apt })).toEqual({
    status: 0,
    stdout: "",
    asked: [],
  });
});

test("programs that are missing are installed", () => {
  expect(install({ nginx: "", caddy: "", "apt-get": 'echo "$@" >> "$ASKED"' })).toEqual({
    status: 0,
    stdout: "Installed for the tests: pgbouncer\n",
    asked: ["-qq update", "-qq install -y --no-install-recommends pgbouncer"],
  });
});

test.each([
  ["there is no apt-get", {}],
  ["apt-get fails", { "apt-get": "exit 100" }],
  ["there is no such package", { "apt-get": '[ "$2" = update ]' }],
  ["apt-get hangs", { "apt-get": "exec sleep 60" }],
  ["root's rights are refused", { id: "echo 1000", sudo: "exit 1", "apt-get": "" }],
  ["there is no sudo", { id: "echo 1000", "apt-get": "" }],
])("a run goes on where %s", (_reason, programs) => {
  expect(install(programs)).toMatchObject({ status: 0, stdout: skipped });
});
