import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { mostReportRows } from "#app/domain/delivery/delivery-payloads.ts";
import { isSource, readDeliveryRows, rowRefusals } from "#app/domain/delivery/delivery-row.ts";
import { reportDelivery } from "#app/domain/delivery/report-delivery.server.ts";
import { scanReport } from "#app/domain/delivery/report-file.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/**
 * `npm run deliveries -- [--source NAME] FILE…`: the reports in CSV files, with the columns of `POST /api/delivery-reports`.
 * Each row that is refused is a line on standard output (file, line, code, reason); then the exit code is 1.
 */
const usage = "Usage: npm run deliveries -- [--source NAME] FILE…";

await runCommand(async (ctx) => {
  const { files, source } = readArguments();
  for (const file of files) await reportFile(ctx, { file, source });
});

function readArguments(): { files: string[]; source: string | null } {
  try {
    const options = { source: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 0 && (values.source === undefined || isSource(values.source))) {
      return { files: positionals, source: values.source ?? null };
    }
  } catch {
    // Said below.
  }
  throw new StartError(usage);
}

type FileRow = { row: unknown; line: number };

async function reportFile(ctx: Ctx<OperatorActor>, { file, source }: { file: string; source: string | null }) {
  let [accepted, rejected] = [0, 0];
  try {
    for await (const batch of batchesOf(file)) {
      const rows = batch.map(({ row }) => row);
      const done = await reportDelivery(ctx, { rows: readDeliveryRows(rows, source) });
      accepted += done.accepted;
      rejected += done.rejected.length;
      for (const { index, code } of done.rejected) {
        print(`${[file, batch[index]?.line, code, rowRefusals[code]].join("\t")}`);
      }
    }
  } finally {
    process.stderr.write(`${file}: ${accepted} rows stand, ${rejected} were refused\n`);
  }
  if (rejected > 0) process.exitCode = 1;
}

/** As many rows as a call may have: they bound what is in memory. What came before a file turns out to be none is given. */
async function* batchesOf(file: string): AsyncIterable<FileRow[]> {
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
    for (; batch.length >= mostReportRows; batch = batch.slice(mostReportRows)) yield batch.slice(0, mostReportRows);
  }
  if (batch.length > 0) yield batch;
  if (problem instanceof Error) throw new StartError(`${file}: ${problem.message}`);
}
