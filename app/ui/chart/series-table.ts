import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { ChartLine } from "./chart-line.ts";
import type { TableColumn } from "./chart-table.tsx";
import { formatMeasure } from "./measure.ts";

/** The lines as columns, a row a day; the days of a previous period have a column of their own before its first line. */
export function tableOfSeries(
  days: readonly CalendarDate[],
  lines: readonly ChartLine[],
  wordsOfDay: (day: CalendarDate) => string,
): { columns: TableColumn[]; rows: string[][] } {
  const others = lines.find((line) => line.days)?.days;
  const own = lines.filter((line) => !line.days);
  const before = lines.filter((line) => line.days);
  return {
    columns: [
      { head: "Day" },
      ...own.map(({ label }) => ({ head: label, right: true })),
      ...(others ? [{ head: "Compared with" }] : []),
      ...before.map(({ label }) => ({ head: label, right: true })),
    ],
    rows: days.map((day, index) => [
      wordsOfDay(day),
      ...own.map((line) => valueAt(line, index)),
      ...(others ? [dayAt(others, index, wordsOfDay)] : []),
      ...before.map((line) => valueAt(line, index)),
    ]),
  };
}

function valueAt({ kind, values }: ChartLine, index: number): string {
  return formatMeasure(kind, values[index] ?? null);
}

function dayAt(days: readonly CalendarDate[], index: number, wordsOfDay: (day: CalendarDate) => string): string {
  const day = days[index];
  return day ? wordsOfDay(day) : "–";
}
