import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { cycloneDx } from "#app/cyclonedx.ts";
import { projectFile } from "#app/project-file.server.ts";

const lockFile: unknown = JSON.parse(readFileSync(projectFile("package-lock.json"), "utf8"));
const locked = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
});
const { packages } = z.object({ packages: z.record(z.string(), locked) }).parse(lockFile);
const bill = cycloneDx(lockFile);

test("lists every production package of the lock file with its version, hash and license, and no other", () => {
  const expected = Object.entries(packages)
    .filter(([path, { version, dev }]) => path && version && !dev)
    .map(([path, found]) => {
      const [algorithm, digest = ""] = (found.integrity ?? "").split(/-(.*)/);
      return JSON.stringify({
        name: found.name ?? path.replace(/^.*node_modules\//, ""),
        version: found.version,
        [String(algorithm)]: Buffer.from(digest, "base64").toString("hex"),
        license: found.license,
      });
    });
  const listed = bill.components.map(({ name, version, hashes, licenses }) =>
    JSON.stringify({
      name,
      version,
      ...Object.fromEntries(hashes.map(({ alg, content }) => [alg.toLowerCase().replace("-", ""), content])),
      license: licenses.map((one) => ("expression" in one ? one.expression : one.license.id))[0],
    }),
  );
  expect(listed.length).toBeGreaterThan(300);
  expect(new Set(listed)).toEqual(new Set(expected));
  expect(new Set(listed).size).toBe(listed.length);
  expect(bill.components.every(({ hashes }) => hashes.length > 0)).toBe(true);
  expect(bill.components.map(({ name }) => name)).not.toContain("vitest");
});

test("lists dependencies between listed packages", () => {
  const refs = new Set(bill.components.map((component) => component["bom-ref"]));
  const used = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(used.filter((ref) => !refs.has(ref))).toEqual([]);
  const uses = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  expect(uses.get(bill.metadata.component["bom-ref"])).toContain("pkg:npm/express@4.22.0");
  expect(uses.get("pkg:npm/express@4.22.0")?.some((ref) => ref.startsWith("pkg:npm/accepts@"))).toBe(true);
});

test("names no host, and no folder of the machine that wrote it", () => {
  const text = JSON.stringify(bill);
  expect(text).not.toMatch(/https?:|node_modules|registry/);
  expect(text).not.toContain(process.cwd());
});

test("resolves the nearer of two versions, and an alias by its own name", () => {
  const of = (version: string, more = {}) => ({ version, integrity: "sha512-AAEC", license: "MIT", ...more });
  const { components, dependencies } = cycloneDx({
    name: "shop",
    version: "1.0.0",
    packages: {
      "": { version: "1.0.0", dependencies: { "@a/b": "*", c: "*" } },
      "node_modules/@a/b": of("1.0.0", { dependencies: { c: "*" } }),
      "node_modules/@a/b/node_modules/c": of("2.0.0", { license: "(MIT OR 0BSD)" }),
      "node_modules/c": of("3.0.0", { optional: true, name: "real" }),
      "node_modules/tool": of("1.0.0", { dev: true }),
      "node_modules/elsewhere": { optional: true },
    },
  });
  expect(dependencies).toEqual([
    { ref: "pkg:npm/%40a/b@1.0.0", dependsOn: ["pkg:npm/c@2.0.0"] },
    { ref: "pkg:npm/c@2.0.0", dependsOn: [] },
    { ref: "pkg:npm/real@3.0.0", dependsOn: [] },
    { ref: "pkg:npm/shop@1.0.0", dependsOn: ["pkg:npm/%40a/b@1.0.0", "pkg:npm/real@3.0.0"] },
  ]);
  expect(components[1]).toEqual({
    type: "library",
    "bom-ref": "pkg:npm/c@2.0.0",
    name: "c",
    version: "2.0.0",
    scope: "required",
    hashes: [{ alg: "SHA-512", content: "000102" }],
    licenses: [{ expression: "(MIT OR 0BSD)" }],
    purl: "pkg:npm/c@2.0.0",
  });
});
