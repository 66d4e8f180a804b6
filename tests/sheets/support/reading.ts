import { readXls } from "#app/sheets/read-xls.server.ts";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import type { SheetHandlers, SheetLimits } from "#app/sheets/sheet-types.ts";
import { inMemory } from "./workbook.ts";

type Event = { sheet: string; hidden: boolean } | { row: number; cells: string[] };
type Options = Partial<SheetHandlers> & { limits?: Partial<SheetLimits>; with?: typeof readXlsx };

/** All calls of a reader, in order. */
export async function read(bytes: Uint8Array, { with: reader = readXlsx, ...options }: Options = {}) {
  const events: Event[] = [];
  await reader(inMemory(bytes), {
    onSheet: ({ name, hidden }) => {
      events.push({ sheet: name, hidden });
      return true;
    },
    onRow: (cells, row) => {
      events.push({ row, cells: [...cells] });
    },
    ...options,
  });
  return { events };
}

export async function rowsOf(bytes: Uint8Array, options: Options = {}): Promise<string[][]> {
  const { events } = await read(bytes, options);
  return events.flatMap((event) => ("row" in event ? [event.cells] : []));
}

export function xlsRowsOf(bytes: Uint8Array, options: Options = {}): Promise<string[][]> {
  return rowsOf(bytes, { ...options, with: readXls });
}

/** Returns the code with which the file is rejected, or the result if it is not. */
export async function rejectionCodeOf(bytes: Uint8Array, options: Options = {}): Promise<string> {
  try {
    return `read: ${(await rowsOf(bytes, options)).length} rows`;
  } catch (error) {
    if (error instanceof SheetError) return error.code;
    throw error;
  }
}
