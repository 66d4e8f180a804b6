import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { deliveryReportSchema, maxReportRows } from "#app/domain/delivery/delivery-payloads.ts";
import { isSource, parseDeliveryRows, rowRejections } from "#app/domain/delivery/delivery-row.ts";
import { ingestDeliveryReport, ingestTimeoutMs } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { parseReportCsv } from "#app/domain/delivery/read-report-csv.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { operatorEndpoint } from "../endpoint.server.ts";
import { parseIdempotencyKey } from "../idempotency-key.ts";
import { Problem } from "../problem.ts";
import { wire } from "../wire.ts";

/** Fifty thousand rows are about 15 MB of JSON. */
const reportBytes = 32 * 1024 * 1024;

/** Delivery report endpoints. */
export const deliveryEndpoints = {
  "POST /api/delivery-reports": operatorEndpoint({
    summary: "Report delivery, up to 50,000 rows. Each row is accepted or rejected with a reason",
    query: z.object({
      source: z
        .string()
        .refine(isSource, rowRejections.invalid_source)
        .optional()
        .describe("Source of the metrics, for rows that name none in a body that names none"),
    }),
    body: deliveryReportSchema,
    maxBodyBytes: reportBytes,
    // The server accepts slightly more, so that the endpoint itself can report what is too large.
    limits: { maxBodyBytes: reportBytes + 1024 * 1024, timeout: 150_000 },
    // One row above the limit is parsed, so that the schema rejects it with its own message.
    maxItems: maxReportRows + 1,
    deadlineMs: ingestTimeoutMs,
    readCsv: async (bytes) => ({ rows: await readTable(bytes) }),
    response: z.object({
      accepted: wire.count.describe("Rows accepted, including replaced and unchanged rows"),
      rejected: z.array(
        z.object({
          index: wire.count.describe("Zero-based index of the row in the request"),
          code: z.string().describe(`One of ${Object.keys(rowRejections).join(", ")}`),
          message: z.string(),
        }),
      ),
    }),
    run: async ({ ctx, apiRequest, query, body }) => {
      const rows = await readInTurns(body.rows, body.source ?? query.source ?? null);
      // With an idempotency key the whole report is one transaction, because the response must be stored together with
      // its effect.
      const atOnce = parseIdempotencyKey(apiRequest.head) !== undefined;
      const { accepted, rejected } = await ingestDeliveryReport(ctx, { rows, singleTransaction: atOnce });
      // As many rejections as rows are described and written in turns of their own.
      await nextTurn();
      const described = rejected.map((row) => ({ ...row, message: rowRejections[row.code] }));
      await nextTurn();
      return { accepted, rejected: described };
    },
  }),
};

async function readTable(bytes: Uint8Array): Promise<unknown[]> {
  try {
    return await parseReportCsv(bytes, maxReportRows);
  } catch (error) {
    if (error instanceof SheetError) throw new Problem("malformed", error.message);
    throw error;
  }
}

const rowsInTurn = 10_000;

/** Parsing 50,000 rows takes about 100 ms, so it yields to other requests in between. */
async function readInTurns(values: readonly unknown[], source: string | null) {
  const rows: ReturnType<typeof parseDeliveryRows> = [];
  for (let at = 0; at < values.length; at += rowsInTurn) {
    if (at > 0) await nextTurn();
    rows.push(...parseDeliveryRows(values.slice(at, at + rowsInTurn), source));
  }
  return rows;
}
