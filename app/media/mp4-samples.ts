import { MediaError, refusals } from "./media.ts";
import { type Box, openBox } from "./mp4-boxes.ts";

export type Range = { from: number; to: number };

/**
 * Where in the file the samples of a track lie, chunk by chunk, from its sample tables (`stbl`). A track that does not say
 * has none. Throws MediaError where the tables do not fit each other.
 */
export function sampleRanges(bytes: Uint8Array, tables: readonly Box[]): Range[] {
  const box = (type: string) => tables.find((one) => one.type === type);
  const [offsets, sizes, runs] = [box("stco") ?? box("co64"), box("stsz"), box("stsc")];
  if (!offsets || !sizes || !runs) return [];
  const sizeOfNext = sizesOf(bytes, sizes);
  const perChunk = samplesPerChunk(bytes, runs);
  const { reader } = openBox(bytes, offsets);
  const chunks = reader.u32();
  if (chunks * (offsets.type === "co64" ? 8 : 4) > reader.left) throw new MediaError(refusals.damaged);
  const ranges: Range[] = [];
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    const from = offsets.type === "co64" ? reader.u64() : reader.u32();
    const to = from + sizeOfNext(perChunk(chunk));
    if (to > bytes.length) throw new MediaError(refusals.cutOff);
    ranges.push({ from, to });
  }
  return ranges;
}

/** Gives the bytes of so many samples, each time of the next ones. */
function sizesOf(bytes: Uint8Array, box: Box): (samples: number) => number {
  const { reader } = openBox(bytes, box);
  const same = reader.u32();
  let left = reader.u32();
  return (samples) => {
    if (samples > left) throw new MediaError(refusals.damaged);
    left -= samples;
    if (same > 0) return same * samples;
    let sum = 0;
    for (let sample = 0; sample < samples; sample += 1) sum += reader.u32();
    return sum;
  };
}

/** Chunks in a row that have as many samples are one entry; asked for them in ascending order. */
function samplesPerChunk(bytes: Uint8Array, box: Box): (chunk: number) => number {
  const { reader } = openBox(bytes, box);
  let left = reader.u32();
  let samples = 0;
  let next = Number.POSITIVE_INFINITY;
  let waiting = 0;
  const readEntry = () => {
    next = Number.POSITIVE_INFINITY;
    if (left === 0) return;
    left -= 1;
    next = reader.u32();
    waiting = reader.u32();
    reader.u32();
  };
  readEntry();
  return (chunk) => {
    while (next <= chunk) {
      samples = waiting;
      readEntry();
    }
    return samples;
  };
}
