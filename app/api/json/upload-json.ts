import { z } from "zod";
import { encodingJson, encodingSchema } from "#app/api/json/encoding-json.ts";
import { wire } from "#app/api/wire.ts";
import { uploadSources, uploadStatuses } from "#app/domain/audiences/audience.ts";
import { columnUses } from "#app/domain/audiences/files/column-uses.ts";
import type { Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";

export const uploadSchema = z.object({
  id: wire.id,
  status: z.enum(uploadStatuses),
  audience_id: wire.id,
  mode: z.string(),
  source: z.enum(uploadSources).describe("Uploaded files or the integration"),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: wire.count,
      format: z.string(),
      rows: wire.count,
      encoding: encodingSchema.nullable(),
      columns: z
        .array(
          z.object({
            name: z.string(),
            use: z.enum(columnUses).describe("What the column was read as"),
            detected: z.enum(columnUses).describe("What it was detected as"),
            samples: z.array(z.string()).describe("Masked"),
          }),
        )
        .describe("The columns of the first table, if they are known"),
    }),
  ),
  rows_read: wire.count,
  rows_blank: wire.count,
  rows_invalid: wire.count,
  rows_opted_out: wire.count.describe("Rows left out because the person opted out or did not agree"),
  opt_outs: z
    .array(
      z.object({
        column: z.string(),
        rows: wire.count.describe("Rows left out"),
        identifiers: wire.count.describe("Rows imported without the identifier that the column is about"),
        blank: wire.count.describe("How many of both have an empty cell"),
        unclear: wire.count.describe("How many of both have a value that is not understood"),
        values: z.array(z.string()).describe("Examples of such values, masked"),
      }),
    )
    .describe("The columns that kept rows or identifiers out"),
  include_opt_outs: z.boolean().describe("Whether people who opted out were imported, as stated on upload"),
  invalid_by_reason: z.record(z.string(), wire.count),
  duplicates: wire.count,
  people_added: wire.count,
  people_removed: wire.count,
  size: wire.count.nullable().describe("Audience size after the upload"),
  dropped_columns: z.array(z.string()),
  notes: z.array(z.string()),
  error: z.string().nullable(),
  created_at: wire.time,
  finished_at: wire.time.nullable(),
});

export function uploadJson(upload: Upload): z.input<typeof uploadSchema> {
  return {
    id: upload.id,
    status: upload.status,
    audience_id: upload.audienceId,
    mode: upload.mode,
    source: upload.source,
    files: upload.files.map(({ encoding, layout, ...file }) => ({
      ...file,
      encoding: encodingJson(encoding),
      columns: layout?.columns ?? [],
    })),
    rows_read: upload.rowsRead,
    rows_blank: upload.rowsBlank,
    rows_invalid: upload.rowsInvalid,
    rows_opted_out: upload.rowsOptedOut,
    opt_outs: upload.optOuts,
    include_opt_outs: upload.includesOptOuts,
    invalid_by_reason: { ...upload.invalidByReason },
    duplicates: upload.duplicates,
    people_added: upload.peopleAdded,
    people_removed: upload.peopleRemoved,
    size: upload.size,
    dropped_columns: upload.droppedColumns,
    notes: upload.notes,
    error: upload.error,
    created_at: upload.createdAt.toISOString(),
    finished_at: upload.finishedAt?.toISOString() ?? null,
  };
}
