import { exportPerformance } from "#app/domain/analytics/export-performance.server.ts";
import type { Figures } from "#app/domain/analytics/figures.ts";
import type { PerformanceRequest } from "#app/domain/analytics/list-performance.server.ts";
import {
  groupingLabels,
  noteLabel,
  type PerformanceColumn,
  performanceColumns,
} from "#app/domain/analytics/performance-columns.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { openXlsx } from "#app/sheets/xlsx-writer.server.ts";
import { csvOf, safeText } from "./csv.ts";
import { takeExport } from "./export-limit.server.ts";
import { spoolFile } from "./spooled-file.server.ts";

export const performanceFormats = ["csv", "xlsx"] as const;
export type PerformanceFormat = (typeof performanceFormats)[number];
export const performanceFileTypes: Record<PerformanceFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

type Row = (string | number | null)[];
type Write = (piece: Uint8Array) => Promise<void>;
type Writer = {
  add: (rows: Row[], look?: { bold: boolean }) => Promise<void>;
  /** What stands before and after all that was written. */
  end: () => Promise<{ before: Uint8Array; after: Uint8Array }>;
};

/**
 * The whole performance table as a file: a row of heads, every row as the screen sorts it, the totals last. It is written on a
 * disk as its rows come, and read from there when the last has: memory holds a few of its rows, and a slow reader none and no
 * connection. One of five exports an hour (`rate_limited`).
 */
export async function performanceFile(
  ctx: Ctx<TenantActor>,
  input: PerformanceRequest & { format: PerformanceFormat },
) {
  await takeExport(ctx);
  const { format, ...asked } = input;
  const columns = performanceColumns[ctx.actor.kind];
  const note = noteLabel(ctx.actor.kind, asked.group);
  const heads = [groupingLabels[asked.group], ...(note ? [note] : []), ...columns.map(headOf)];
  const named = (name: string, other: string | null, figures: Figures): Row => [
    safeText(name),
    ...(note ? [safeText(other ?? "")] : []),
    ...columns.map((column) => measured(column, figures)),
  ];
  const content = await spoolFile(async (write) => {
    const writer = openers[format]({ columns, note: note !== null, write });
    await writer.add([heads], { bold: true });
    const totals = await exportPerformance(ctx, {
      ...asked,
      take: (rows) => writer.add(rows.map((row) => named(row.name, row.note, row))),
    });
    await writer.add([named("Total", null, totals)], { bold: true });
    return writer.end();
  });
  const { from, to } = asked.period;
  const name = `analytics-by-${asked.group}-${from}-${to}.${format}`;
  return { name, type: performanceFileTypes[format], content };
}

type Opening = { columns: readonly PerformanceColumn[]; note: boolean; write: Write };

const openers: Record<PerformanceFormat, (opening: Opening) => Writer> = {
  csv: ({ write }) => ({
    add: (rows) => write(Buffer.from(csvOf(rows))),
    end: async () => ({ before: nothing, after: nothing }),
  }),
  xlsx: ({ columns, note, write }) =>
    openXlsx({
      sheet: "Analytics",
      looks: [null, ...(note ? [null] : []), ...columns.map(({ kind }) => (kind === "count" ? "whole" : "decimals"))],
      write,
    }),
};

const nothing = new Uint8Array();

const unitWords = { money: " (USD)", percent: " (%)", count: "", times: "" };

function headOf({ label, kind }: PerformanceColumn): string {
  return label + unitWords[kind];
}

/** Dollars for cents; ratios with four decimals, since more is noise of the division. */
function measured({ kind, of }: PerformanceColumn, figures: Figures): number | null {
  const value = of(figures);
  if (value === null) return null;
  return Math.round(kind === "money" ? value * 100 : value * 10_000) / 10_000;
}
