import type { UploadFile } from "#app/domain/audiences/audience.ts";
import type { RowCounts } from "#app/domain/audiences/files/row-reader.ts";

/** The part of an upload's report that describes its files, whatever its status. */
export type UploadReport = RowCounts & { files: UploadFile[]; droppedColumns: string[]; notes: string[] };
