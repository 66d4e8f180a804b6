import { Readable } from "node:stream";
import { type Dimension, type Grouping, isInterval } from "#app/domain/analytics/analytics.ts";
import { rejectLargeBreakdown } from "#app/domain/analytics/break-down-performance.server.ts";
import type { BreakdownGroup } from "#app/domain/analytics/breakdown-matrix.ts";
import type { DeliveryMetrics } from "#app/domain/analytics/delivery-metrics.ts";
import { exportBreakdown } from "#app/domain/analytics/export-breakdown.server.ts";
import { exportPerformance } from "#app/domain/analytics/export-performance.server.ts";
import type { Performance, PerformanceRequest } from "#app/domain/analytics/list-performance.server.ts";
import {
  counterpartyLabel,
  groupingLabels,
  type PerformanceColumn,
  performanceColumns,
} from "#app/domain/analytics/performance-columns.ts";
import type { Ctx, ReadCtx, TenantActor } from "#app/domain/context.ts";
import { inStaleSnapshot, noticeableAsOf } from "#app/domain/stale-reads.server.ts";
import { createXlsxWriter } from "#app/sheets/xlsx-writer.server.ts";
import { formatUtcTime } from "#app/ui/format.ts";
import { byteOrderMark, escapeFormula, toCsv } from "../csv.ts";
import type { RequestHead } from "../request-head.ts";
import { spoolFile } from "../spooled-file.server.ts";
import { consumeExportLimit } from "./export-limit.server.ts";

export const performanceFormats = ["csv", "xlsx"] as const;
export type PerformanceFormat = (typeof performanceFormats)[number];
export const performanceContentTypes: Record<PerformanceFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

type Row = (string | number | null)[];
type Write = (piece: Uint8Array) => Promise<void>;
type Writer = {
  add: (rows: Row[], look?: { bold: boolean }) => Promise<void>;
  /** Returns what comes before and after the written rows. */
  end: () => Promise<{ before: Uint8Array; after: Uint8Array }>;
};

/** The limit for reading a whole file, in milliseconds. */
export const fileTimeoutMs = 60_000;

/**
 * Creates the file that a person or a program asked for. Counts toward the limit of five exports per hour
 * (`rate_limited`), unless it is a breakdown of more than `maxFacts` (`invalid_input`). For HEAD it returns the file's
 * name and type without content.
 */
export async function createPerformanceExport(
  ctx: Ctx<TenantActor>,
  { method, ...input }: FileRequest & Pick<RequestHead, "method">,
) {
  if (method === "HEAD") return { ...describeFile(input), content: Readable.from([]) };
  const { group, split, maxFacts } = input;
  const breakdown = split && !isInterval(group) ? { ...input, group, split } : undefined;
  // Before the limit is consumed: a refused export makes no file. Without a limit of facts there is nothing to read.
  if (breakdown && maxFacts !== Number.POSITIVE_INFINITY) {
    await inStaleSnapshot(ctx, (reading) => rejectLargeBreakdown(reading, breakdown, maxFacts));
  }
  await consumeExportLimit(ctx, { method });
  const checked = { ...input, maxFacts: Number.POSITIVE_INFINITY };
  return inStaleSnapshot(ctx, (reading) => createPerformanceFile(reading, checked), { timeoutMs: fileTimeoutMs });
}

type FileRequest = PerformanceRequest & {
  split?: Dimension | undefined;
  format: PerformanceFormat;
  /** Whether a person opens the file, so that CSV begins with a byte-order mark. A program would read it as text. */
  isForPeople: boolean;
  maxFacts?: number | undefined;
};

/** Thrown when a file becomes larger than the caller admits. */
export class FileTooLargeError extends Error {
  override name = "FileTooLargeError";
}

/**
 * Creates the whole performance table as a file: a header row, every row in the screen's order, the totals last; split
 * by a second dimension, a row for each pair. It is spooled to disk as rows arrive and sent once complete, so that
 * memory holds only a few rows and a slow client holds no database connection. The context is a snapshot's. Throws
 * FileTooLargeError beyond `maxBytes`.
 */
export async function createPerformanceFile(ctx: ReadCtx<TenantActor>, input: FileRequest & { maxBytes?: number }) {
  const { format, split, isForPeople, maxBytes = Number.POSITIVE_INFINITY, ...query } = input;
  const { group } = query;
  const columns = performanceColumns[ctx.actor.kind];
  const groupings = [group, ...(split ? [split] : [])];
  const names = nameColumns(ctx, groupings);
  const named = (row: Named, one: Grouping) => names.cells(row, one).map(escapeFormula);
  const measures = (figures: DeliveryMetrics) => columns.map((column) => measured(column, figures));
  const content = await spoolFile(async (spool) => {
    let bytes = 0;
    const write: Write = (piece) => {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new FileTooLargeError(`the file has more than ${maxBytes} bytes`);
      return spool(piece);
    };
    const writer = openers[format]({ columns, texts: names.heads.length, isForPeople, write });
    await writer.add([[...names.heads, ...columns.map(columnHeader)]], { bold: true });
    const onRows = (rows: readonly Performance[]) =>
      writer.add(rows.map((row) => [...named(row, group), ...measures(row)]));
    const onGroup = ({ parts, ...whole }: BreakdownGroup) =>
      writer.add(parts.map((part) => [...named(whole, group), ...named(part, split ?? group), ...measures(part)]));
    const totals =
      split && !isInterval(group)
        ? await exportBreakdown(ctx, { ...query, group, split, onGroup })
        : await exportPerformance(ctx, { ...query, onRows });
    await writer.add([["Total", ...names.heads.slice(1).map(() => ""), ...measures(totals)]], { bold: true });
    const asOf = noticeableAsOf(ctx);
    if (asOf) await writer.add([[`Figures as of ${formatUtcTime(asOf)}`]]);
    return writer.end();
  });
  return { ...describeFile(input), content };
}

function describeFile({ group, split, period, format }: FileRequest): { name: string; type: string } {
  const groupings = [group, ...(split ? [split] : [])];
  const name = `analytics-by-${groupings.join("-and-")}-${period.from}-${period.to}.${format}`;
  return { name, type: performanceContentTypes[format] };
}

type Named = { name: string; counterparty: string | null };

/**
 * Returns the columns before the figures: the name of each grouping, and of the other side unless it is a column
 * itself.
 */
export function nameColumns({ actor }: Pick<ReadCtx<TenantActor>, "actor">, groupings: readonly Grouping[]) {
  const hasOtherSide = groupings.some((one) => one === "publisher" || one === "advertiser");
  const otherSide = (one: Grouping) => (hasOtherSide ? null : counterpartyLabel(actor.kind, one));
  return {
    heads: groupings.flatMap((one) => {
      const label = otherSide(one);
      return label ? [groupingLabels[one], label] : [groupingLabels[one]];
    }),
    cells: (row: Named, one: Grouping) => [row.name, ...(otherSide(one) ? [row.counterparty ?? ""] : [])],
  };
}

/** `texts` is the number of columns before the figures. */
type Opening = {
  columns: readonly PerformanceColumn[];
  texts: number;
  isForPeople: boolean;
  write: Write;
};

const openers: Record<PerformanceFormat, (opening: Opening) => Writer> = {
  csv: ({ isForPeople, write }) => ({
    add: (rows) => write(Buffer.from(toCsv(rows))),
    end: async () => ({ before: isForPeople ? Buffer.from(byteOrderMark) : nothing, after: nothing }),
  }),
  xlsx: ({ columns, texts, write }) =>
    createXlsxWriter({
      sheet: "Analytics",
      formats: [
        ...Array<null>(texts).fill(null),
        ...columns.map(({ kind }) => (kind === "count" ? "whole" : "decimals")),
      ],
      write,
    }),
};

const nothing = new Uint8Array();

const unitLabels = { money: " (USD)", percent: " (%)", count: "", times: "" };

function columnHeader({ label, kind }: PerformanceColumn): string {
  return label + unitLabels[kind];
}

/** Returns dollars for cents, and ratios with four decimals; more digits are only floating-point noise. */
function measured({ kind, of }: PerformanceColumn, figures: DeliveryMetrics): number | null {
  const value = of(figures);
  if (value === null) return null;
  return Math.round(kind === "money" ? value * 100 : value * 10_000) / 10_000;
}
