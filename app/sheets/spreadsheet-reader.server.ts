import type { SpreadsheetFormat } from "./sheet-types.ts";

/** Loads the reader of a format on demand, because most files are text and a thread should start fast. */
export async function loadSpreadsheetReader(format: SpreadsheetFormat) {
  switch (format) {
    case "xlsx":
      return (await import("./read-xlsx.server.ts")).readXlsx;
    case "ods":
      return (await import("./ods/read-ods.server.ts")).readOds;
    case "xls":
      return (await import("./read-xls.server.ts")).readXls;
  }
}
