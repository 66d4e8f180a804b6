import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { maxReportRows } from "#app/domain/delivery/delivery-payloads.ts";
import { isSource, parseDeliveryRows, rowRejections } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { scanReport } from "#app/domain/delivery/report-file.ts";
import { keysOfFile } from "#app/domain/delivery/row-keys.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/**
 * `npm run deliveries -- [--source NAME] FILE…`: imports delivery reports from CSV files with the columns of `POST
 * /api/delivery-reports`. Each rejected row is a line on standard output (file, line, code, reason); the exit code is
 * then 1.
 */
const usage = "Usage: npm run deliveries -- [--source NAME] FILE…";

export default databaseCommand(async ({ ctx, args }) => {
  const { files, source } = readArguments(args);
  for (const file of files) await importFile(ctx, { file, source });
});

function readArguments(args: readonly string[]): { files: string[]; source: string | null } {
  try {
    const options = { source: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length > 0 && (values.source === undefined || isSource(values.source))) {
      return { files: positionals, source: values.source ?? null };
    }
  } catch {
    // The usage error below applies.
  }
  throw new StartupError(usage);
}

type FileRow = { row: unknown; line: number };

async function importFile(ctx: Ctx<OperatorActor>, { file, source }: { file: string; source: string | null }) {
  let [accepted, rejected] = [0, 0];
  const keys = keysOfFile();
  try {
    for await (const batch of readBatches(file)) {
      const rows = batch.map(({ row }) => row);
      const result = await ingestDeliveryReport(ctx, { rows: parseDeliveryRows(rows, source), keys });
      accepted += result.accepted;
      rejected += result.rejected.length;
      for (const { index, code } of result.rejected) {
        print(`${[file, batch[index]?.line, code, rowRejections[code]].join("\t")}`);
      }
    }
  } catch (error) {
    // The error alone says enough of a file of which no row was read.
    if (accepted + rejected > 0) printCounts();
    throw error;
  }
  printCounts();
  if (rejected > 0) process.exitCode = 1;

  function printCounts(): void {
    printNote(`${file}: ${accepted} rows accepted, ${rejected} rejected`);
  }
}

/**
 * Yields batches of as many rows as a request may have, to bound memory. The rows before a malformed part of a file are
 * still yielded.
 */
async function* readBatches(file: string): AsyncIterable<FileRow[]> {
  let batch: FileRow[] = [];
  let problem: unknown;
  const scanner = scanReport((row, line) => batch.push({ row, line }));
  const chunks = createReadStream(file)[Symbol.asyncIterator]();
  for (let more = true; more; ) {
    try {
      const chunk = await chunks.next();
      more = chunk.done !== true;
      if (chunk.done) scanner.end();
      else scanner.push(chunk.value);
    } catch (error) {
      problem = error;
      more = false;
    }
    for (; batch.length >= maxReportRows; batch = batch.slice(maxReportRows)) yield batch.slice(0, maxReportRows);
  }
  if (batch.length > 0) yield batch;
  if (problem instanceof Error) throw new StartupError(`${file}: ${problem.message}`);
}
