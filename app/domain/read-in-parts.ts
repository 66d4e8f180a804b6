/**
 * Yields the rows of a list that is read in parts. `listAfter` returns the next part: those after a row, in the order
 * of the list, and none at the end.
 */
export async function* readInParts<Row>(listAfter: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after: Row | undefined; ; ) {
    const part = await listAfter(after);
    yield* part;
    after = part.at(-1);
    if (after === undefined) return;
  }
}
