import { type Method, methods, type PathParams } from "./call.server.ts";

/** What stands at a path: a row for each method. */
type Node<Row> = {
  rows: Map<Method, Row>;
  byName: Map<string, Node<Row>>;
  parameter?: { name: string; node: Node<Row> };
};

export type Match<Row> = { rows: ReadonlyMap<Method, Row>; params: PathParams };

/**
 * Makes, once, a tree of the table's paths (`METHOD /path/{parameter}`), and answers by walking down it: the length of
 * the table does not matter. A segment by name goes before a parameter. Undefined for a path that nothing stands at.
 */
export function matcherOf<Row>(table: Record<string, Row>): (path: string) => Match<Row> | undefined {
  const root = emptyNode<Row>();
  for (const [name, row] of Object.entries(table)) {
    const { method, path } = readName(name);
    const node = segmentsOf(path).reduce(childOf, root);
    node.rows.set(method, row);
  }
  return (path) => {
    const params: PathParams = {};
    let node: Node<Row> | undefined = root;
    for (const segment of segmentsOf(path)) {
      const named: Node<Row> | undefined = node.byName.get(segment);
      if (!named && node.parameter && segment !== "") params[node.parameter.name] = segment;
      node = named ?? (segment === "" ? undefined : node.parameter?.node);
      if (!node) return undefined;
    }
    return node.rows.size > 0 ? { rows: node.rows, params } : undefined;
  };
}

/** The two halves of a row's name. */
export function readName(name: string): { method: Method; path: string } {
  const [verb, path = ""] = name.split(" ");
  const method = methods.find((known) => known === verb);
  if (!method) throw new Error(`${name} begins with no method`);
  return { method, path };
}

function emptyNode<Row>(): Node<Row> {
  return { rows: new Map(), byName: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

function childOf<Row>(node: Node<Row>, segment: string): Node<Row> {
  const [, parameter] = /^\{(\w+)\}$/.exec(segment) ?? [];
  if (parameter) {
    node.parameter ??= { name: parameter, node: emptyNode() };
    return node.parameter.node;
  }
  const child = node.byName.get(segment) ?? emptyNode<Row>();
  node.byName.set(segment, child);
  return child;
}
