import { parentPort } from "node:worker_threads";
import { formatStackFrames } from "#app/sheets/thread-defect.ts";
import type { PdfRequest, PdfResponse } from "./pdf-protocol.ts";
import { writePdf } from "./write-pdf.server.ts";

let chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void> | undefined;

/**
 * The thread that writes documents, because the layout of five hundred lines takes seconds of CPU time. Pages are laid
 * out on request.
 */
parentPort?.on("message", async (request: PdfRequest & { id: number }) => {
  if ("document" in request) chunks = writePdf(request.document);
  const response = await readNext(chunks);
  parentPort?.postMessage({ id: request.id, ...response }, response.kind === "chunk" ? [response.bytes.buffer] : []);
});

async function readNext(source: typeof chunks): Promise<PdfResponse> {
  try {
    const { value } = (await source?.next()) ?? {};
    return value ? { kind: "chunk", bytes: value } : { kind: "end" };
  } catch (error) {
    // Never the error itself: its message might contain a name.
    return { kind: "failed", defect: formatStackFrames(error) };
  }
}
