/**
 * Returns a text as a JavaScript string within a `<script>` element, which nothing in it can end. The quotes are single
 * ones, because JSON is full of double ones, each of which would need an escape.
 */
export function scriptString(text: string): string {
  const inside = text.replace(/['\\\n\r&<>\u2028\u2029]/g, (sign) =>
    sign === "\\" ? "\\\\" : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `'${inside}'`;
}
