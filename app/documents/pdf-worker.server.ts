import { parentPort } from "node:worker_threads";
import { whereOf } from "#app/sheets/thread-defect.ts";
import type { PdfAnswer, PdfRequest } from "./pdf-protocol.ts";
import { writePdf } from "./write-pdf.server.ts";

/** The thread that writes documents: laying out five hundred lines takes a core for seconds. */
parentPort?.on("message", async ({ id, document }: PdfRequest & { id: number }) => {
  const { answer, memory } = await write(document);
  parentPort?.postMessage({ id, ...answer }, memory);
});

async function write(document: PdfRequest["document"]): Promise<{ answer: PdfAnswer; memory: ArrayBuffer[] }> {
  try {
    const bytes = await writePdf(document);
    return { answer: { kind: "written", bytes }, memory: [bytes.buffer] };
  } catch (error) {
    // Never the error itself: its words might hold a name.
    return { answer: { kind: "failed", defect: whereOf(error) }, memory: [] };
  }
}
