import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { alternatives, isNullable, type JsonSchema } from "./json-schema.ts";

export type SampleContext = {
  today: CalendarDate;
  /** The value of a field named `id`. */
  id: string;
};

/** Returns a value of the schema, for an example of a response. `name` is the field's, which texts are chosen by. */
export function sampleValue(schema: JsonSchema, context: SampleContext, name = ""): unknown {
  const [first = {}] = alternatives(schema);
  if (first.const !== undefined) return first.const;
  if (first.enum) return first.enum[0];
  if (name === "next_cursor" || (isNullable(schema) && nullNames.test(name))) return null;
  if (first.type === "array") return first.items ? [sampleValue(first.items, context, name)] : [];
  if (first.type === "boolean") return false;
  if (first.type === "integer") return Math.max(1, first.minimum ?? 1);
  if (first.type === "number") return 12.5;
  if (first.type === "string") return sampleText(first, context, name);
  return Object.fromEntries(
    Object.entries(first.properties ?? {}).map(([field, inner]) => [field, sampleValue(inner, context, field)]),
  );
}

/** What has not happened in an example. */
const nullNames = /(^|_)(error|failure|reason|archived_at|paused_at|completed_at|notes|confirmation_url)$/;

function sampleText({ format }: JsonSchema, { today, id }: SampleContext, name: string): string {
  if (format === "date-time" || name.endsWith("_at")) return `${today}T12:00:00.000Z`;
  if (format === "date") return today;
  if (format === "uri" || name === "url" || name.endsWith("_url")) return "https://www.example.com/";
  if (format === "binary") return "…";
  if (/(^|_)ids?$/.test(name)) return id;
  return texts[name] ?? "…";
}

const texts: Record<string, string | undefined> = {
  company_name: "Juniper Home",
  currency: "USD",
  email: "jane@example.com",
  format: "csv",
  message: "The file could not be read. Save it as .csv or .xlsx and upload it again.",
  mode: "add",
  month: "2026-11",
  publishers: "Harbor Goods",
  text: "Draft",
  name: "Example",
  sku: "TENT-2",
};
