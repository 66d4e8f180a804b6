/**
 * Returns a download that is generated while it is sent: the next piece is requested once the previous one has been
 * sent. Nothing is generated for HEAD, whose body nobody reads.
 */
export function streamDownload(
  pieces: AsyncIterable<string>,
  { fileName, type }: { fileName: string; type: string },
): Response {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await source.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="${fileName}"`,
  };
  return new Response(body, { headers });
}
