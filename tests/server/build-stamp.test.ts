import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";

/** A project with two sources and a build, whose module of stamps is a copy of ours. */
async function buildProject() {
  const root = mkdtempSync(join(tmpdir(), "endcap-stamp-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["app", "build", "server"]) mkdirSync(join(root, folder));
  cpSync(projectFile("server/build-stamp.js"), join(root, "server/build-stamp.js"));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  write("app/routes.ts", "routes");
  write("app/page.ts", "a page");
  const stamp: typeof import("#server/build-stamp.js") = await import(join(root, "server/build-stamp.js"));
  stamp.writeStamp(stamp.hashSources(), stamp.hashTimes());
  return { root, write, isCurrent: stamp.isBuildCurrent };
}

test("a build is current until a source changes, is added or removed, also one of the same size and time", async () => {
  const { root, write, isCurrent } = await buildProject();
  expect(isCurrent()).toBe(true);
  const page = join(root, "app/page.ts");
  write("app/page.ts", "b page");
  utimesSync(page, new Date(0), new Date(0));
  expect(isCurrent()).toBe(false);
  write("app/page.ts", "a page");
  expect(isCurrent()).toBe(true);
  utimesSync(page, new Date(0), new Date(0));
  expect(isCurrent()).toBe(true);
  write("app/more.ts", "");
  expect(isCurrent()).toBe(false);
  rmSync(join(root, "app/more.ts"));
  expect(isCurrent()).toBe(true);
  rmSync(page);
  expect(isCurrent()).toBe(false);
});

test("a build without a stamp, or with an empty one, is not current, and neither are sources with a release's", async () => {
  const { write, root, isCurrent } = await buildProject();
  for (const stamp of ["", "release", "\n"]) {
    write("build/.fresh", stamp);
    expect(isCurrent()).toBe(false);
  }
  rmSync(join(root, "build/.fresh"));
  expect(isCurrent()).toBe(false);
});

test("a release, which has no sources, is current", async () => {
  const { root, write, isCurrent } = await buildProject();
  rmSync(join(root, "app"), { recursive: true });
  expect(isCurrent()).toBe(false);
  write("build/.fresh", "release");
  expect(isCurrent()).toBe(true);
});
