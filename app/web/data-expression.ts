/**
 * Returns data as a JavaScript expression within a `<script>` element, which nothing in it can end: shorter than the format of
 * Remix's stream (gzip), where each value is a number that stands for its place in a list. Undefined if the data have anything
 * but plain objects, arrays, dates and primitive values.
 */
export function dataExpression(value: unknown): string | undefined {
  const target = { text: "" };
  return push(target, value) ? target.text : undefined;
}

function push(target: { text: string }, value: unknown): boolean {
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

function pushObject(target: { text: string }, value: object | null): boolean {
  if (value === null) target.text += "null";
  else if (Array.isArray(value)) {
    target.text += "[";
    for (const [index, item] of value.entries()) {
      if (index > 0) target.text += ",";
      if (!push(target, item)) return false;
    }
    target.text += "]";
  } else if (value instanceof Date) target.text += `new Date(${value.getTime()})`;
  else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    target.text += "{";
    let separator = "";
    for (const [name, item] of Object.entries(value)) {
      target.text += `${separator}${propertyName(name)}:`;
      if (!push(target, item)) return false;
      separator = ",";
    }
    target.text += "}";
  }
  return true;
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
