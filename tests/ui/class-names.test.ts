import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildIfStale } from "#server/build-if-stale.ts";

const root = join(import.meta.dirname, "../..");
/** Mails have their own styles. */
const folders = ["app/ui", "app/portal", "app/screens"];

/** Returns every class in `className="…"` and in the strings of `className={…}`, with a file that uses it. */
function usedClasses(): Map<string, string> {
  const used = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith(".tsx")) continue;
      const path = join(entry.parentPath, entry.name);
      for (const name of classesOf(readFileSync(path, "utf8"))) used.set(name, path.slice(root.length + 1));
    }
  }
  return used;
}

function classesOf(source: string): string[] {
  const attributes = [...source.matchAll(/className=(?:"([^"]*)"|\{([^{}]*)\})/g)];
  const texts = attributes.flatMap(([, plain, expression = ""]) =>
    plain === undefined ? [...expression.matchAll(/(?:\?|:|^) ?"([^"]*)"/g)].map(([, text = ""]) => text) : [plain],
  );
  return texts.flatMap((text) => text.split(/\s+/)).filter((name) => name !== "");
}

test("every class of a component has a rule in the built styles", async () => {
  await buildIfStale();
  const assets = join(root, "build/client/assets");
  const styles = readdirSync(assets)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(join(assets, name), "utf8"))
    .join("\n")
    .replaceAll("\\", "");
  const hasRule = (name: string) => styles.includes(`.${name}`);
  expect(hasRule("portal-layout")).toBe(true);
  expect(hasRule("no-such-class")).toBe(false);
  expect([...usedClasses()].filter(([name]) => !hasRule(name))).toEqual([]);
}, 180_000);
