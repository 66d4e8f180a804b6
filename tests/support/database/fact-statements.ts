import { loadModule, parseSync } from "libpg-query";
import type { ObserveQuery } from "#db/self-healing-pool.server.ts";

/** The tables that can be spread over machines by line item (docs/decisions/0105). */
const factTables = ["deliveries", "delivery_revisions"];
const key = "line_item_id";
const mentionsFacts = new RegExp(`\\b(?:${factTables.join("|")})\\b`);

const checked = new Set<string>();
const waiting = new Set<string>();
const nothing = { sent: () => undefined, settled: () => undefined };

/**
 * Notes statements about facts that have a label, which are those of requests, jobs and the verbs that tests call, not
 * those that a test writes itself.
 */
export const noteFactStatements: ObserveQuery = (text, { requestId, job }) => {
  const isProduct = requestId !== undefined || job !== undefined;
  if (isProduct && !checked.has(text) && mentionsFacts.test(text)) waiting.add(text);
  return nothing;
};

/** Throws when a statement that was noted does not say by its parameters whose facts it needs. */
export async function checkFactStatements(): Promise<void> {
  const texts = [...waiting];
  waiting.clear();
  for (const text of texts) {
    checked.add(text);
    const found = await findUnkeyedFacts(text);
    if (found.length > 0) throw new Error(`${found.join("; ")} (docs/decisions/0105):\n${text}`);
  }
}

/** Lists what is wrong with a statement about facts; nothing for a statement that is not about them. */
export async function findUnkeyedFacts(text: string): Promise<string[]> {
  await loadModule();
  const found: string[] = [];
  walk(parseSync(text), (kind, statement) => found.push(...faultsOf(kind, statement)));
  return found;
}

/** Calls `visit` with each node that has a name, such as `SelectStmt`, and the node. */
function walk(tree: unknown, visit: (kind: string, node: unknown) => void): void {
  if (typeof tree !== "object" || tree === null) return;
  for (const [name, value] of Object.entries(tree)) {
    visit(name, value);
    walk(value, visit);
  }
}

const part = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined), node);
const list = (node: unknown): readonly unknown[] => (Array.isArray(node) ? node : []);

function faultsOf(kind: string, statement: unknown): string[] {
  const target = part(statement, "relation");
  const isWrite = kind === "UpdateStmt" || kind === "DeleteStmt";
  if (kind === "InsertStmt") return faultsOfInsert(statement, isFacts(target));
  if (kind !== "SelectStmt" && !isWrite) return [];
  const from = [...list(part(statement, "fromClause")), ...list(part(statement, "usingClause"))];
  const sources = [...(isWrite ? [{ RangeVar: target }] : []), ...from].flatMap(sourcesOf);
  const conditions = [...from.flatMap(joinConditions), part(statement, "whereClause")].flatMap(conjuncts);
  const isJoinedByKey = from.some(joinsByKey);
  return sources
    .filter(({ table }) => table !== undefined && factTables.includes(table))
    .filter(({ alias }) => !isKeyed(alias, { sources, conditions, isJoinedByKey }))
    .map(({ alias, table }) => `No parameter says whose ${table} it needs as ${alias}.${key}`);
}

function faultsOfInsert(statement: unknown, isIntoFacts: boolean): string[] {
  const columns = list(part(statement, "cols")).map((column) => part(column, "ResTarget", "name"));
  return !isIntoFacts || columns.includes(key) ? [] : [`It inserts facts without ${key}`];
}

const isFacts = (relation: unknown) => factTables.includes(String(part(relation, "relname")));

/**
 * What a level of a statement reads from. `table` is undefined for anything else; `isGiven`: a function of parameters.
 */
type Source = { alias: string; table?: string; isGiven?: boolean };

function sourcesOf(item: unknown): Source[] {
  const join = part(item, "JoinExpr");
  if (join) return [part(join, "larg"), part(join, "rarg")].flatMap(sourcesOf);
  const table = part(item, "RangeVar");
  const other = table ?? part(item, "RangeFunction") ?? part(item, "RangeSubselect");
  const alias = part(other, "alias", "aliasname") ?? part(table, "relname");
  if (table) return [{ alias: String(alias), table: String(part(table, "relname")) }];
  return [{ alias: String(alias), isGiven: isGiven(part(item, "RangeFunction")) }];
}

/** The conditions of inner joins: those of outer ones leave rows of one side. */
function joinConditions(item: unknown): unknown[] {
  const join = part(item, "JoinExpr");
  if (!join) return [];
  const own = part(join, "jointype") === "JOIN_INNER" ? [part(join, "quals")] : [];
  return [...own, ...[part(join, "larg"), part(join, "rarg")].flatMap(joinConditions)];
}

function joinsByKey(item: unknown): boolean {
  const join = part(item, "JoinExpr");
  const using = list(part(join, "usingClause")).map((name) => part(name, "String", "sval"));
  return using.includes(key) || (join !== undefined && [part(join, "larg"), part(join, "rarg")].some(joinsByKey));
}

function conjuncts(condition: unknown): unknown[] {
  const both = part(condition, "BoolExpr");
  return part(both, "boolop") === "AND_EXPR" ? list(part(both, "args")).flatMap(conjuncts) : [condition];
}

type Level = { sources: readonly Source[]; conditions: readonly unknown[]; isJoinedByKey: boolean };

/**
 * Whether the facts' key is compared with parameters, or with rows that are made of parameters alone. With another
 * table beside such rows the key itself has to be compared, because a cluster joins its own tables before it knows the
 * rows.
 */
function isKeyed(alias: string, { sources, conditions, isJoinedByKey }: Level): boolean {
  const isKey = (node: unknown) => isColumn(node, alias) || (sources.length === 1 && isColumn(node, undefined));
  const given = sources.filter((source) => source.isGiven).map((source) => source.alias);
  const isAlone = sources.filter((source) => !source.isGiven).length === 1;
  const isKeyOfGiven = (node: unknown) => isAlone && given.some((other) => isColumn(node, other));
  if (isJoinedByKey && isAlone && given.length > 0) return true;
  return conditions.some((condition) => {
    const comparison = part(condition, "A_Expr");
    const [operator] = list(part(comparison, "name"));
    if (part(operator, "String", "sval") !== "=") return false;
    const [left, right] = [part(comparison, "lexpr"), part(comparison, "rexpr")];
    if (isKey(left)) return isGiven(right) || isKeyOfGiven(right);
    return part(comparison, "kind") === "AEXPR_OP" && isKey(right) && (isGiven(left) || isKeyOfGiven(left));
  });
}

function isColumn(node: unknown, alias: string | undefined): boolean {
  const names = list(part(node, "ColumnRef", "fields")).map((name) => part(name, "String", "sval"));
  return names.join(".") === [alias, key].filter(Boolean).join(".");
}

/** Whether an expression is made of parameters and literals alone. */
function isGiven(node: unknown): boolean {
  if (node === undefined) return false;
  let needsRows = false;
  walk({ node }, (name) => (needsRows ||= name === "ColumnRef" || name === "SubLink"));
  return !needsRows;
}
