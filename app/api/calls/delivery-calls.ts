import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { deliveryReportSchema, mostReportRows } from "#app/domain/delivery/delivery-payloads.ts";
import { isSource, readDeliveryRows, rowRefusals } from "#app/domain/delivery/delivery-row.ts";
import { readReportCsv } from "#app/domain/delivery/read-report-csv.server.ts";
import { reportDeadlineMs, reportDelivery } from "#app/domain/delivery/report-delivery.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { operatorCall, readIdempotencyKey } from "../call.server.ts";
import { Problem } from "../problem.ts";
import { wire } from "../wire.ts";

/** Fifty thousand rows as JSON are about fifteen megabytes. */
const reportBytes = 32 * 1024 * 1024;

/** Calls about what was delivered. */
export const deliveryCalls = {
  "POST /api/delivery-reports": operatorCall({
    summary: "Report what was delivered, at most 50,000 rows; each row stands or is refused with its reason",
    query: z.object({
      source: z
        .string()
        .refine(isSource, rowRefusals.invalid_source)
        .optional()
        .describe("Who counted, where neither the body nor a row says so: a CSV has no other place for it"),
    }),
    body: deliveryReportSchema,
    bodyBytes: reportBytes,
    // One too many is refused in words.
    maxItems: mostReportRows + 1,
    deadlineMs: reportDeadlineMs,
    readCsv: async (bytes) => ({ rows: await readTable(bytes) }),
    answer: z.object({
      accepted: wire.count.describe(
        "Rows that stand, whether they were new, replaced what was there, or said the same",
      ),
      rejected: z.array(
        z.object({
          index: wire.count.describe("Position among the rows sent, from 0"),
          code: z.string().describe(`One of ${Object.keys(rowRefusals).join(", ")}`),
          message: z.string(),
        }),
      ),
    }),
    run: async ({ ctx, visit, query, body }) => {
      const rows = await readInTurns(body.rows, body.source ?? query.source ?? null);
      // With a key all of it is one transaction, or the answer could not be kept with what was done.
      const atOnce = readIdempotencyKey(visit.request) !== undefined;
      const { accepted, rejected } = await reportDelivery(ctx, { rows, atOnce });
      return { accepted, rejected: rejected.map((row) => ({ ...row, message: rowRefusals[row.code] })) };
    },
  }),
};

async function readTable(bytes: Uint8Array): Promise<unknown[]> {
  try {
    return await readReportCsv(bytes, mostReportRows);
  } catch (error) {
    if (error instanceof SheetError) throw new Problem("malformed", error.message);
    throw error;
  }
}

const rowsInTurn = 10_000;

/** Reading fifty thousand rows takes a tenth of a second: others have their turn in between. */
async function readInTurns(values: readonly unknown[], source: string | null) {
  const rows: ReturnType<typeof readDeliveryRows> = [];
  for (let at = 0; at < values.length; at += rowsInTurn) {
    if (at > 0) await nextTurn();
    rows.push(...readDeliveryRows(values.slice(at, at + rowsInTurn), source));
  }
  return rows;
}
