/** Lines of a document: what is longer is read from the file of its rows, and is not worth the second that the pages would take. */
export const mostOnPaper = 500;

/** The words for the lines that a document leaves out; none when it has all. */
export function moreOnFile(more: boolean): string | undefined {
  return more ? "Its other lines are in the CSV file of this statement; the totals count them too." : undefined;
}

export function pdfAnswer(fileName: string, bytes: Uint8Array<ArrayBuffer>): Response {
  const headers = { "Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="${fileName}"` };
  return new Response(bytes, { headers });
}
