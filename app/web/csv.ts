type Rows = readonly (readonly (string | number | null)[])[];

/** Returns a table as CSV. Text that a spreadsheet would run as a formula is prefixed with `'`; numbers stay numbers. */
export function toCsv(rows: Rows): string {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

/** Returns a CSV download, generated while it is sent: the next chunk is requested once the previous one has been sent. */
export function csvResponse(fileName: string, pieces: AsyncIterable<Rows>): Response {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(toCsv(value)));
    },
    async cancel() {
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
    },
  });
}

/** Escapes text that a spreadsheet would run as a formula. Some spreadsheets also accept full-width signs and skip leading blanks. */
export function escapeFormula(value: string): string {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B])/.test(value) ? `'${value}` : value;
}

function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
