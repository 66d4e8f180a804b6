import type { PdfDocument } from "#app/documents/paper-document.ts";
import { PdfError, PdfPool, type PdfProblem } from "#app/documents/pdf-pool.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { reportError } from "#app/domain/report-error.ts";
import stylesheet from "#app/styles/app.css?url";
import { plainPage } from "./plain-page.ts";

/** The maximum number of lines in a PDF. Longer tables are available as CSV; their PDF would take seconds to render. */
export const maxPdfLines = 500;

const pool = new PdfPool();

/** Returns the note about the lines that a document omits; undefined if it is complete. */
export function pdfTruncationNote(more: boolean): string | undefined {
  return more ? "The remaining lines are in this statement's CSV file. The totals include them." : undefined;
}

type Paper = { request: Request; fileName: string; document: PdfDocument };

/**
 * Returns the document as a download, streamed while it is rendered, or a page that says why it is unavailable and when
 * to retry. For HEAD nothing is rendered.
 */
export async function pdfResponse(ctx: Ctx<TenantActor>, { request, fileName, document }: Paper): Promise<Response> {
  const headers = { "Content-Type": "application/pdf", "Content-Disposition": `attachment; filename="${fileName}"` };
  if (request.method === "HEAD") return new Response(null, { headers });
  const onBreak = ({ cause }: PdfError) => reportError(ctx, cause, { work: "make_document" });
  try {
    const chunks = await pool.write(document, { account: ctx.actor.accountId, signal: request.signal, onBreak });
    return new Response(chunks, { headers });
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    if (error.problem === "failed") onBreak(error);
    return problemResponse(error.problem);
  }
}

const problemResponses: Record<PdfProblem, { status: number; seconds: number; text: string }> = {
  account_busy: {
    status: 429,
    seconds: 5,
    text: "Other documents of your account are still being prepared. Try again in a few seconds.",
  },
  busy: {
    status: 503,
    seconds: 5,
    text: "Many documents are being prepared right now. Try again in a few seconds.",
  },
  failed: {
    status: 503,
    seconds: 30,
    text: "This document could not be prepared. Try again in a minute, or download the CSV file instead.",
  },
};

function problemResponse(problem: PdfProblem): Response {
  const { status, seconds, text } = problemResponses[problem];
  const page = plainPage({
    heading: "Document not available",
    text,
    link: { href: "", label: "Try again" },
    stylesheet,
  });
  const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": String(seconds) };
  return new Response(page, { status, headers });
}
