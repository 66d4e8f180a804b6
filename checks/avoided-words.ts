import ts from "typescript";

type Rule = { avoid: string; use: string };
type TextRule = Rule & { pattern: RegExp };
/** The tables "Names to avoid", "Words to avoid" and "Exceptions" of docs/glossary.md. */
export type Glossary = { names: readonly Rule[]; words: readonly TextRule[]; exceptions: readonly string[] };
export type Avoided = { path: string; line: number; where: "name" | "text" | "comment"; avoid: string; use: string };

/** Reads the tables of the glossary. Throws when one is missing or empty: a check without rules passes everything. */
export function readGlossary(markdown: string): Glossary {
  const table = (title: string) => {
    const [, section = ""] = markdown.split(`\n## ${title}\n`);
    const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
    const cells = rows
      .slice(1)
      .filter((row) => !row.startsWith("|---") && !row.startsWith("| ---"))
      .map((row) => row.split("|").map((cell) => cell.trim()));
    if (cells.length === 0) throw new Error(`docs/glossary.md has no table "${title}"`);
    return cells.map(([, avoid = "", use = ""]) => ({ avoid, use }));
  };
  return {
    names: table("Names to avoid"),
    words: table("Words to avoid").map((rule) => ({
      ...rule,
      pattern: new RegExp(`(?<![\\w-])${rule.avoid}(?![\\w-])`, "i"),
    })),
    exceptions: table("Exceptions").map(({ avoid }) => avoid),
  };
}

/**
 * Returns every avoided word of a file: in the names that it declares and in its own name, in texts for people, and in
 * comments. A text for people is a string or JSX text that is not code (`in_transit`), a path or SQL. The strings of
 * tests are left out, because they quote other files. Markdown is text as a whole, without its code.
 */
export function findAvoided({ path, text }: { path: string; text: string }, glossary: Glossary): Avoided[] {
  if (path.endsWith(".md")) {
    return text.split("\n").flatMap((line, index) => {
      const prose = line.replace(/`[^`]*`/g, "");
      return inText(prose, glossary).map(({ avoid, use }) => ({
        path,
        line: index + 1,
        where: "text" as const,
        avoid,
        use,
      }));
    });
  }
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Avoided[] = inName(path.replace(/^.*\//, "").replace(/\..*$/, ""), glossary).map((rule) => ({
    path,
    line: 1,
    where: "name",
    ...rule,
  }));
  const add = (position: number, where: Avoided["where"], rules: readonly Rule[]) => {
    const line = file.getLineAndCharacterOfPosition(position).line + 1;
    found.push(...rules.map(({ avoid, use }) => ({ path, line, where, avoid, use })));
  };
  visitAll(file, (node) => {
    const name = declaredName(node);
    if (name) add(node.getStart(), "name", inName(name, glossary));
    const words = textOf(node);
    if (words !== undefined && !path.startsWith("tests/")) add(node.getStart(), "text", inText(words, glossary));
  });
  for (const { pos, end } of commentsOf(file)) add(pos, "comment", inText(text.slice(pos, end), glossary));
  return found;
}

function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isImportDeclaration(node)) return;
  if (ts.isTaggedTemplateExpression(node) && /^(sql|tx|client)\b/.test(node.tag.getText())) return;
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
}

function declaredName(node: ts.Node): string | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isParameter(node);
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function textOf(node: ts.Node): string | undefined {
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isJsxText(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node);
  if (!isText) return undefined;
  return /^[\w./:#?=&%{}$@*+[\]()^|\\-]*$/.test(node.text) && !/^[A-Z][a-z]+$/.test(node.text) ? undefined : node.text;
}

function commentsOf(file: ts.SourceFile) {
  const found = new Map<number, { pos: number; end: number }>();
  const visit = (node: ts.Node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(file.text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.end) ?? []),
    ]) {
      if (!ts.isJsxText(node)) found.set(range.pos, range);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.values();
}

/** Returns the rules whose words are whole words of the name, side by side, in camel case or with `-` or `_`. */
function inName(name: string, { names }: Glossary): Rule[] {
  const words = ` ${name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[-_]/g, " ")
    .toLowerCase()} `;
  return names.filter(({ avoid }) => words.includes(` ${avoid} `));
}

function inText(text: string, { words, exceptions }: Glossary): Rule[] {
  const rest = exceptions.reduce(
    (left, exception) => left.replaceAll(exception, ""),
    text.replace(/\s+(?:\* )?/g, " "),
  );
  return words.filter(({ pattern }) => pattern.test(rest));
}
