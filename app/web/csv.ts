type Rows = readonly (readonly (string | number | null)[])[];

/** A table as CSV. Text that a spreadsheet would run as a formula gets a `'` before it; numbers stay numbers. */
export function csvOf(rows: Rows): string {
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

/** A file to keep, made while it is sent: the next piece is asked for when the one before is on its way. */
export function csvAnswer(fileName: string, pieces: AsyncIterable<Rows>): Response {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(csvOf(value)));
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

/** Text that no spreadsheet takes for a formula. Some read full-width signs as their plain ones, and skip blanks before them. */
export function safeText(value: string): string {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE63\uFE66\uFE6B])/.test(value) ? `'${value}` : value;
}

function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = safeText(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
