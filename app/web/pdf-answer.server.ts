import type { PaperDocument } from "#app/documents/paper-document.ts";
import { PdfError, PdfPool, type PdfProblem } from "#app/documents/pdf-pool.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { reportError } from "#app/domain/report-error.ts";

/** Lines of a document: what is longer is read from the file of its rows, and is not worth the seconds that the pages would take. */
export const mostOnPaper = 500;

const pool = new PdfPool();

/** The words for the lines that a document leaves out; none when it has all. */
export function moreOnFile(more: boolean): string | undefined {
  return more ? "Its other lines are in the CSV file of this statement; the totals count them too." : undefined;
}

type Paper = { request: Request; fileName: string; document: PaperDocument };

/** The document as a file, or a page that says why there is none and when to ask again. */
export async function pdfAnswer(ctx: Ctx<TenantActor>, { request, fileName, document }: Paper): Promise<Response> {
  try {
    const bytes = await pool.write(document, { account: ctx.actor.accountId, signal: request.signal });
    const headers = { "Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="${fileName}"` };
    return new Response(bytes, { headers });
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    if (error.problem === "failed") reportError(ctx, error.cause, { work: "make_document" });
    return refusal(error.problem);
  }
}

const refusals: Record<PdfProblem, { status: number; seconds: number; words: string }> = {
  account_busy: {
    status: 429,
    seconds: 5,
    words: "Other documents of your account are still being prepared. Try again in a few seconds.",
  },
  busy: {
    status: 503,
    seconds: 5,
    words: "Many documents are being prepared right now. Try again in a few seconds.",
  },
  failed: {
    status: 503,
    seconds: 30,
    words: "This document could not be prepared. Try again in a minute, or download the CSV file instead.",
  },
};

function refusal(problem: PdfProblem): Response {
  const { status, seconds, words } = refusals[problem];
  const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Document not available</title></head>
<body><main><h1>Document not available</h1><p>${words}</p><p><a href="">Try again</a></p></main></body>
</html>
`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": String(seconds) };
  return new Response(page, { status, headers });
}
