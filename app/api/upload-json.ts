import { z } from "zod";
import { uploadSources, uploadStatuses } from "#app/domain/audiences/audience.ts";
import type { Upload } from "#app/domain/audiences/get-upload.server.ts";
import { wire } from "./wire.ts";

export const uploadSchema = z.object({
  id: wire.id,
  status: z.enum(uploadStatuses),
  audience_id: wire.id,
  mode: z.string(),
  source: z.enum(uploadSources).describe("Files that were sent, or the program that was asked"),
  files: z.array(z.object({ name: z.string(), bytes: wire.count, format: z.string(), rows: wire.count })),
  rows_read: wire.count,
  rows_blank: wire.count,
  rows_invalid: wire.count,
  invalid_by_reason: z.record(z.string(), wire.count),
  duplicates: wire.count,
  people_added: wire.count,
  people_removed: wire.count,
  size: wire.count.nullable().describe("People in the audience afterwards"),
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
    files: upload.files,
    rows_read: upload.rowsRead,
    rows_blank: upload.rowsBlank,
    rows_invalid: upload.rowsInvalid,
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
