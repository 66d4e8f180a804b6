/** `color` is text with colors. */
export type LogFormat = "json" | "text" | "color";

type LogLine = { level: number; time: string; msg: string } & Record<string, unknown>;

const levels: Record<number, { label: string; color: number }> = {
  10: { label: "TRACE", color: 90 },
  20: { label: "DEBUG", color: 90 },
  30: { label: "INFO ", color: 32 },
  40: { label: "WARN ", color: 33 },
  50: { label: "ERROR", color: 31 },
  60: { label: "FATAL", color: 31 },
};
const [bold, gray] = [1, 90];

/** Fields that a request's line shows by their position, without their names. */
const requestFields = ["method", "path", "status", "milliseconds"];

/**
 * Returns a log line as text: time (UTC), level, message, the request, other fields as `name=value`, and then the stack
 * on lines of its own. Ends with a line break.
 */
export function formatLogLine(line: LogLine, format: LogFormat): string {
  if (format === "json") return `${JSON.stringify(line)}\n`;
  const paint = (code: number, text: string) => (format === "color" && text ? `\u001b[${code}m${text}\u001b[0m` : text);
  const { level, time, msg, stack, error, ...fields } = line;
  const { label, color } = levels[level] ?? { label: String(level), color: gray };
  const { method, path, status, milliseconds } = fields;
  const timing = milliseconds === undefined ? undefined : `${String(milliseconds)} ms`;
  const request = [method, path, status, timing].filter((value) => value !== undefined).map(printable);
  const others = Object.entries(fields)
    .filter(([name, value]) => value !== undefined && !requestFields.includes(name))
    .map(([name, value]) => `${name}=${printable(value)}`);
  const parts = [
    paint(gray, time.replace(/^.*T|Z$/g, "")),
    paint(color, label),
    paint(bold, printable(msg)),
    ...request,
    paint(gray, others.join(" ")),
  ];
  return `${parts.filter(Boolean).join(" ")}\n${[...describeFacts(error), ...indented(stack)].join("")}`;
}

function describeFacts(error: unknown): string[] {
  if (error === undefined) return [];
  if (typeof error !== "object" || error === null) return indented(String(error));
  const { stack, frames, ...facts }: Record<string, unknown> = Object(error);
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return [
    ...indented(known.map(([name, value]) => `${name}=${printable(value)}`).join(" ")),
    ...indented(stack),
    ...indented(frames),
  ];
}

function indented(text: unknown): string[] {
  if (typeof text !== "string" || text === "") return [];
  return text.split("\n").map((row) => `    ${printable(row.trim())}\n`);
}

/** A control character of a path or a message must neither move the cursor nor begin another line. */
function printable(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
