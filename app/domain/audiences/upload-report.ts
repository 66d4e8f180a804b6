import type { UploadFile } from "./audience.ts";
import type { RowCounts } from "./files/row-reader.ts";

/** What is said of an upload's files, whatever became of it. */
export type UploadReport = RowCounts & { files: UploadFile[]; droppedColumns: string[]; notes: string[] };
