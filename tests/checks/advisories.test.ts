import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findAdvisories, parseAdvisories } from "./find-advisories.ts";

const read = (file: string) => readFileSync(resolve(import.meta.dirname, "../..", file), "utf8");
const advisories = parseAdvisories(read("docs/advisories.json"));
const lockOf = (packages: Record<string, { version: string; name?: string }>) => JSON.stringify({ packages });
/** Returns the findings for a lock file, without unneeded exceptions. */
const find = (packages: Record<string, { version: string; name?: string }>) =>
  findAdvisories(
    advisories.map((advisory) => ({ ...advisory, accepted: {} })),
    lockOf(packages),
  );

test("the lock file contains no version that a known advisory affects", () => {
  expect(findAdvisories(advisories, read("package-lock.json"))).toEqual([]);
});

test("the fixed version of each advisory is not affected by it", () => {
  for (const advisory of advisories) {
    const fixed = { [`node_modules/${advisory.package}`]: { version: advisory.fixed } };
    expect(findAdvisories([{ ...advisory, accepted: {} }], lockOf(fixed)), advisory.id).toEqual([]);
  }
});

test("an affected version is found at any depth, as a prerelease and under an alias", () => {
  const router = "GHSA-jjmj-jmhj-qwj2, fixed in 6.30.6. An open redirect leads to another site or runs script";
  expect(find({ "node_modules/react-router": { version: "6.30.5" } })).toEqual([
    `node_modules/react-router 6.30.5: ${router}`,
  ]);
  expect(find({ "node_modules/a/node_modules/react-router": { version: "6.30.6-pre.1" } })).toHaveLength(1);
  expect(find({ "node_modules/alias": { name: "react-router", version: "6.30.5" } })).toHaveLength(1);
  expect(find({ "node_modules/@remix-run/router": { version: "1.23.3" } })).toHaveLength(1);
  expect(find({ "node_modules/my-react-router": { version: "1.0.0" } })).toEqual([]);
});

test("an exception applies to its path only, and is reported when nothing needs it", () => {
  const esbuild = advisories.filter(({ package: name }) => name === "esbuild");
  const [path = ""] = Object.keys(esbuild[0]?.accepted ?? {});
  const accepted = esbuild.map((advisory) => ({ ...advisory, accepted: { [path]: "It never starts its server" } }));
  expect(findAdvisories(accepted, lockOf({ [path]: { version: "0.17.6" } }))).toEqual([]);
  expect(findAdvisories(accepted, lockOf({ [`node_modules/b/${path}`]: { version: "0.17.6" } }))).toEqual([
    expect.stringMatching(/^node_modules\/b\/.* 0\.17\.6: GHSA-67mh-4wv8-2f99, fixed in 0\.25\.0\./),
    `${path}: the exception for GHSA-67mh-4wv8-2f99 is no longer needed`,
  ]);
});
