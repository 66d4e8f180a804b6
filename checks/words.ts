import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Avoided, findAvoided, readGlossary } from "./avoided-words.ts";

const root = resolve(import.meta.dirname, "..");
const folders = ["app", "checks", "commands", "db", "deploy", "docs", "server", "tests"];
const checked = /\.(tsx?|cjs|md)$/;
const skipped = /node_modules|\/fonts\/|\/migrations\/|\/kernel\/assembly\/|bench\/reference\/|docs\/glossary\.md$/;

/** `npm run check:words`: fails for each avoided word of docs/glossary.md in names and texts, with the word to use. */
function main(): void {
  const glossary = readGlossary(readFileSync(join(root, "docs/glossary.md"), "utf8"));
  const found = [...sources()].flatMap((path) =>
    findAvoided({ path: relative(root, path), text: readFileSync(path, "utf8") }, glossary),
  );
  for (const one of found) process.stderr.write(`${formatFinding(one)}\n`);
  if (found.length === 0) return;
  process.stderr.write(`${found.length} words that docs/glossary.md says to avoid\n`);
  process.exitCode = 1;
}

function formatFinding({ path, line, where, avoid, use }: Avoided): string {
  return `${path}:${line}: ${where}: "${avoid}". Use: ${use}`;
}

function* sources(): Generator<string> {
  for (const name of readdirSync(root)) if (checked.test(name)) yield join(root, name);
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && checked.test(entry.name) && !skipped.test(path)) yield path;
    }
  }
}

main();
