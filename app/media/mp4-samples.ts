import { MediaError, mediaErrorMessages } from "./media.ts";
import { type Box, openBox } from "./mp4-boxes.ts";

/** A range of offsets in the file; `to` is exclusive. */
export type SampleRange = { from: number; to: number };

/**
 * Returns the byte ranges of a track's samples, one for each chunk, from its sample tables (`stbl`); none for a track
 * without these tables. Throws MediaError when the tables contradict each other or the file.
 */
export function sampleRanges(bytes: Uint8Array, tables: readonly Box[]): SampleRange[] {
  const box = (type: string) => tables.find((one) => one.type === type);
  const [offsets, sizes, runs] = [box("stco") ?? box("co64"), box("stsz"), box("stsc")];
  if (!offsets || !sizes || !runs) return [];
  const sizeOfNext = sizeReader(bytes, sizes);
  const perChunk = sampleCountReader(bytes, runs);
  const { reader } = openBox(bytes, offsets);
  const chunks = reader.u32();
  if (chunks * (offsets.type === "co64" ? 8 : 4) > reader.left) throw new MediaError(mediaErrorMessages.damaged);
  const ranges: SampleRange[] = [];
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    const from = offsets.type === "co64" ? reader.u64() : reader.u32();
    const to = from + sizeOfNext(perChunk(chunk));
    if (to > bytes.length) throw new MediaError(mediaErrorMessages.truncated);
    ranges.push({ from, to });
  }
  return ranges;
}

/** Returns a function that reads the total size in bytes of the next samples, as many as its argument says. */
function sizeReader(bytes: Uint8Array, box: Box): (samples: number) => number {
  const { reader } = openBox(bytes, box);
  const same = reader.u32();
  let remaining = reader.u32();
  return (samples) => {
    if (samples > remaining) throw new MediaError(mediaErrorMessages.damaged);
    remaining -= samples;
    if (same > 0) return same * samples;
    let sum = 0;
    for (let sample = 0; sample < samples; sample += 1) sum += reader.u32();
    return sum;
  };
}

/**
 * Returns a function from a chunk's number to its number of samples, to be called in ascending order. The table has one
 * entry for each run of chunks with the same number of samples.
 */
function sampleCountReader(bytes: Uint8Array, box: Box): (chunk: number) => number {
  const { reader } = openBox(bytes, box);
  let remaining = reader.u32();
  let samples = 0;
  let nextChunk = Number.POSITIVE_INFINITY;
  let samplesOfNext = 0;
  const readEntry = () => {
    nextChunk = Number.POSITIVE_INFINITY;
    if (remaining === 0) return;
    remaining -= 1;
    nextChunk = reader.u32();
    samplesOfNext = reader.u32();
    reader.u32();
  };
  readEntry();
  return (chunk) => {
    while (nextChunk <= chunk) {
      samples = samplesOfNext;
      readEntry();
    }
    return samples;
  };
}
