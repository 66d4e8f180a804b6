import { type HttpMethod, httpMethods, type PathParams } from "./endpoint.ts";

/** A node of the prefix tree, with the endpoint of each method. */
type Node<Row> = {
  rows: Map<HttpMethod, Row>;
  byName: Map<string, Node<Row>>;
  parameter?: { name: string; node: Node<Row> };
};

export type RouteMatch<Row> = { rows: ReadonlyMap<HttpMethod, Row>; params: PathParams };

/**
 * Builds a prefix tree of the paths (`METHOD /path/{parameter}`) once, so that a lookup costs the depth of the path,
 * not the number of endpoints. A literal segment takes precedence over a parameter. Returns undefined for an unknown
 * path.
 */
export function createRouteMatcher<Row>(table: Record<string, Row>): (path: string) => RouteMatch<Row> | undefined {
  const root = emptyNode<Row>();
  for (const [name, row] of Object.entries(table)) {
    const { method, path } = parseEndpointKey(name);
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

/** Splits an endpoint's key into method and path. */
export function parseEndpointKey(name: string): { method: HttpMethod; path: string } {
  const [verb, path = ""] = name.split(" ");
  const method = httpMethods.find((known) => known === verb);
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
