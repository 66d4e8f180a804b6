import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "../../../app");
const folders = ["portal", "screens", "ui", "web"];

/**
 * Returns where `app` has forms, and scripts that send something: "path of the file#component". A component's second
 * form is "… 2", a script's submission "… submit", its own POST request "… request". `onlyDocuments` leaves the forms
 * that the browser itself sends, which load a document.
 */
export function formSources({ onlyDocuments = false } = {}): string[] {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!/\.tsx?$/.test(entry.name) || /\.server\.tsx?$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      found.push(...sourcesIn(text, path.slice(root.length + 1), { onlyDocuments }));
    }
  }
  const counts = new Map<string, number>();
  return found.map((source) => {
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    return count === 1 ? source : `${source} ${count}`;
  });
}

/** Returns the sources of a file's text, without counting those of one component. */
export function sourcesIn(text: string, path: string, { onlyDocuments = false } = {}): string[] {
  const found: string[] = [];
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const visit = (node: ts.Node, component: string): void => {
    const name = topLevelName(node) ?? component;
    if (ts.isJsxOpeningLikeElement(node) && /^(form|(.*\.)?Form)$/.test(node.tagName.getText())) {
      const isDocument = node.tagName.getText() === "form" || /\breloadDocument\b/.test(node.attributes.getText());
      if (isDocument || !onlyDocuments) found.push(`${path}#${name}`);
    }
    ts.forEachChild(node, (child) => visit(child, name));
    if (onlyDocuments) return;
    if (ts.isCallExpression(node) && /^(.*\.)?(submit|requestSubmit)$/.test(node.expression.getText()))
      found.push(`${path}#${name} submit`);
    const isPost = ts.isCallExpression(node) && node.expression.getText() === "fetch" && /"POST"/.test(node.getText());
    if (isPost || (ts.isNewExpression(node) && node.expression.getText() === "XMLHttpRequest"))
      found.push(`${path}#${name} request`);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind), "");
  return found;
}

/** Returns the name of a function, class or constant of the file itself. */
function topLevelName(node: ts.Node): string | undefined {
  const isStatement = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
  if (isStatement && ts.isSourceFile(node.parent)) return node.name?.text;
  const isConstant = ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
  return isConstant && ts.isIdentifier(node.name) ? node.name.text : undefined;
}
