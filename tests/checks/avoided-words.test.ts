import { expect, test } from "vitest";
import { findAvoided, readGlossary } from "../../checks/avoided-words.ts";

const glossary = readGlossary(`# Glossary

## Names to avoid

| Avoid | Use |
|---|---|
| taken back | reversed |

## Words to avoid

| Avoid | Use |
|---|---|
| colour | color |
| gave up | expired |

## Exceptions

| Text |
|---|
| the band Gave Up |
`);

function avoidedIn(path: string, text: string): string[] {
  return findAvoided({ path, text }, glossary).map(
    ({ line, where, avoid, use }) => `${line} ${where}: ${avoid} -> ${use}`,
  );
}

test("an avoided word is found in names of every kind, texts and comments, with its replacement", () => {
  const code = `/** The colour of a row. */
type Row = { takenBackAt: Date };
const colour = "green";
function takenBack(isTakenBack: boolean) {
  return isTakenBack ? "We gave up" : \`A \${colour} colour\`;
}
export const view = <p title="Any colour">The job gave up</p>;
`;
  expect(avoidedIn("app/taken-back.tsx", code)).toEqual([
    "1 name: taken back -> reversed",
    "2 name: taken back -> reversed",
    "4 name: taken back -> reversed",
    "4 name: taken back -> reversed",
    "5 text: gave up -> expired",
    "5 text: colour -> color",
    "7 text: colour -> color",
    "7 text: gave up -> expired",
    "1 comment: colour -> color",
  ]);
});

test("codes, SQL, imports, parts of words and exceptions are ignored", () => {
  const code = `import { colour } from "./colour and more.ts";
const status = "taken_back";
const rows = sql\`select colour from rows -- gave up\`;
const text = "Watercolours of the band Gave Up";
`;
  expect(avoidedIn("app/row.ts", code)).toEqual([]);
});

test("markdown is checked as text, except for its code", () => {
  expect(avoidedIn("docs/a.md", "A colour\n`colour` gave up")).toEqual([
    "1 text: colour -> color",
    "2 text: gave up -> expired",
  ]);
});

test("a glossary without a table is an error, because every word would pass", () => {
  expect(() => readGlossary("# Glossary\n")).toThrow('docs/glossary.md has no table "Names to avoid"');
});
