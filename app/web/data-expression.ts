import { type ShownRow, selectCell, selectPrefix } from "#app/ui/table/shown-row.ts";

/**
 * Returns data as a JavaScript expression within a `<script>` element, which nothing in it can end: shorter than the
 * format of Remix's stream (gzip), where each value is a number that stands for its place in a list. The ids and names
 * of a list whose rows the page shows are taken from these: an id is 16 bytes that do not compress. Undefined if the
 * data have anything but plain objects, arrays, dates and primitive values.
 */
export function dataExpression(value: unknown, shownRows: readonly ShownRow[] = []): string | undefined {
  const target: Target = { text: "", shownRows, refersToRows: false };
  if (!push(target, value)) return undefined;
  return target.refersToRows ? `(${fromRows}=>(${target.text}))(${addIdsAndNames})` : target.text;
}

type Target = { text: string; readonly shownRows: readonly ShownRow[]; refersToRows: boolean };

/** The function's name in the expression, and the function: what a row has of its own comes last. */
const fromRows = "f";
const addIdsAndNames = `(a,c=document.querySelectorAll(".${selectCell}>input"))=>a.map((r,i)=>({id:c[i].value,name:c[i].getAttribute("aria-label").slice(${selectPrefix.length}),...r}))`;

function push(target: Target, value: unknown): boolean {
  switch (typeof value) {
    case "string":
      target.text += quote(value);
      return true;
    case "number":
      target.text += Object.is(value, -0) ? "-0" : value;
      return true;
    case "boolean":
      target.text += value;
      return true;
    case "bigint":
      target.text += `${value}n`;
      return true;
    case "undefined":
      target.text += "void 0";
      return true;
    case "object":
      return pushObject(target, value);
    default:
      return false;
  }
}

function pushObject(target: Target, value: object | null): boolean {
  if (value === null) target.text += "null";
  else if (Array.isArray(value)) return pushArray(target, value);
  else if (value instanceof Date) target.text += `new Date(${value.getTime()})`;
  else return pushProperties(target, value);
  return true;
}

function pushArray(target: Target, items: readonly unknown[]): boolean {
  const shown = areShown(items, target.shownRows) ? target.shownRows : undefined;
  if (shown) {
    target.refersToRows = true;
    target.text += `${fromRows}(`;
  }
  target.text += "[";
  for (const [index, item] of items.entries()) {
    if (index > 0) target.text += ",";
    const row = shown?.[index];
    if (!(row ? pushProperties(target, Object(item), row) : push(target, item))) return false;
  }
  target.text += shown ? "])" : "]";
  return true;
}

/** Whether these are the rows that the page shows: in their order, each with an id and a name. */
function areShown(items: readonly unknown[], rows: readonly ShownRow[]): boolean {
  return (
    rows.length > 0 &&
    items.length === rows.length &&
    items.every((item, index) => {
      const { id, name }: { id?: unknown; name?: unknown } = Object(item);
      return id === rows[index]?.id && typeof name === "string";
    })
  );
}

/** Appends an object without what the row that shows it has. */
function pushProperties(target: Target, value: object, row?: ShownRow): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  target.text += "{";
  let separator = "";
  for (const [name, item] of Object.entries(value)) {
    if (row && (name === "id" || (name === "name" && item === row.name && staysInAttribute(row.name)))) continue;
    target.text += `${separator}${propertyName(name)}:`;
    if (!push(target, item)) return false;
    separator = ",";
  }
  target.text += "}";
  return true;
}

/** Whether a text is the same after it was encoded and parsed as an attribute. */
function staysInAttribute(text: string): boolean {
  return !/[\r\0\p{Surrogate}]/u.test(text);
}

function propertyName(name: string): string {
  // A property of that name would set the object's prototype unless it is computed.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** JSON is JavaScript; of what ends a script, or changes how the rest of it is read, all begins with `<`. */
function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.includes("<") ? quoted.replaceAll("<", "\\u003c") : quoted;
}
