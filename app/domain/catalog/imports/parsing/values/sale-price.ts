import { parseListingStatus } from "./listing-status.ts";

/** The instants that a text may mean, as milliseconds since 1970; empty when it is not a date. */
type Readings = readonly number[];

const day = 24 * 60 * 60 * 1000;

/** Prices of a row as text, and when the reduced one applies. */
export type SaleTerms = { sale: string; from: string; to: string; onSale: string };

/**
 * Whether the reduced price applies at `now`; `unknown` when its dates can't be read or are ambiguous in a way that
 * matters, as 3/4/2026 is in March 2026. The last day counts completely.
 */
export function saleApplies({ sale, from, to, onSale }: SaleTerms, now: Date): boolean | "unknown" {
  if (sale === "" || parseListingStatus(onSale) === "draft") return false;
  const started = compareAll(readInstants(from, "start"), from, (at) => at <= now.getTime());
  const lasts = compareAll(readInstants(to, "end"), to, (at) => at >= now.getTime());
  if (started === false || lasts === false) return false;
  return started === "unknown" || lasts === "unknown" ? "unknown" : true;
}

/** No date means that the condition holds. */
function compareAll(readings: Readings, text: string, holds: (at: number) => boolean): boolean | "unknown" {
  if (isNoDate(text)) return true;
  const results = new Set(readings.map(holds));
  const [only] = results;
  return results.size === 1 && only !== undefined ? only : "unknown";
}

/** PrestaShop writes 0000-00-00 for no date. */
function isNoDate(text: string): boolean {
  return text.trim() === "" || /^0000-00-00/.test(text.trim());
}

function readInstants(text: string, edge: "start" | "end"): Readings {
  const trimmed = text.trim();
  const iso =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      trimmed,
    );
  if (iso) {
    const [, year, month, date, time, zone] = iso;
    return instant({ year, month, date, time, zone }, edge);
  }
  const named = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})(?:,?\s+(.*))?$/.exec(trimmed);
  if (!named) return [];
  const [, first, second, shortYear = "", time] = named;
  const year = shortYear.length === 2 ? `20${shortYear}` : shortYear;
  const clock = time === undefined ? undefined : to24Hours(time);
  if (clock === null) return [];
  const dayFirst = instant({ year, month: second, date: first, time: clock }, edge);
  // A dot separates day, month and year everywhere.
  if (trimmed.includes(".")) return dayFirst;
  return [...dayFirst, ...instant({ year, month: first, date: second, time: clock }, edge)];
}

type Parts = { year?: string; month?: string; date?: string; time?: string; zone?: string };

function instant({ year = "", month = "", date = "", time, zone }: Parts, edge: "start" | "end"): Readings {
  const calendar = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const clock = time === undefined ? "00:00:00" : time.replace(/^(\d):/, "0$1:");
  const offset = zone === undefined ? "Z" : zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2").toUpperCase();
  const at = Date.parse(`${calendar}T${clock}${offset}`);
  // Date.parse accepts February 30.
  if (Number.isNaN(at) || new Date(`${calendar}T00:00:00Z`).toISOString().slice(0, 10) !== calendar) return [];
  return [edge === "end" && isMidnight(clock) ? at + day - 1 : at];
}

function isMidnight(clock: string): boolean {
  return /^00:00(?::00(?:\.0+)?)?$/.test(clock);
}

/** `3:05 PM` as 15:05; null when it is not a time of day. */
function to24Hours(text: string): string | null {
  const [, hour = "", rest = "", half] =
    /^(\d{1,2})(:\d{2}(?::\d{2})?)\s*([ap])?\.?m?\.?$/i.exec(text.replace(/\s+/g, " ")) ?? [];
  if (hour === "") return null;
  const number = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === "p" ? 12 : 0);
  return `${String(number).padStart(2, "0")}${rest}`;
}

/** Splits `start/end`, the form of Google's and Meta's sale price effective date, at the slash between two instants. */
export function splitSaleDates(text: string): { from: string; to: string } {
  const [from = "", to = ""] = text.split(/\/\s*(?=\d{4}-)/);
  return { from: from.trimEnd(), to };
}
