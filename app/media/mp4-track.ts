import { latin1 } from "./byte-reader.ts";
import { MediaError } from "./media.ts";
import { type Box, childBoxes, openBox, readBoxes } from "./mp4-boxes.ts";
import { type SampleRange, sampleRanges } from "./mp4-samples.ts";

/** `kind` is the handler type: `vide` for video, `soun` for audio. Tracks of other kinds have no samples here. */
type Track = { box: Box; kind: string; width: number; height: number; samples: SampleRange[] };

/**
 * Reads a track: its kind, its size in pixels and the ranges of its samples. Throws MediaError for an unsupported one.
 */
export function readTrack(bytes: Uint8Array, box: Box): Track {
  const within = (outer: Box | undefined, type: string) =>
    outer && childBoxes(bytes, outer).find((one) => one.type === type);
  const head = within(box, "tkhd");
  const media = within(box, "mdia");
  const information = within(media, "minf");
  const tables = within(information, "stbl");
  const handler = within(media, "hdlr");
  const size = head ? readDisplaySize(bytes, head) : { width: 0, height: 0 };
  // Some writers omit the handler.
  const kind = handler
    ? latin1(bytes.subarray(handler.content + 8, handler.content + 12))
    : size.width > 0
      ? "vide"
      : "";
  if (kind !== "vide" && kind !== "soun") return { box, kind, ...size, samples: [] };
  const references = within(within(information, "dinf"), "dref");
  if (references && !isOwnData(bytes, references))
    throw new MediaError("This video references other files. Export it as a single MP4.");
  const inner = tables ? childBoxes(bytes, tables) : [];
  const description = inner.find(({ type }) => type === "stsd");
  if (description && /^enc[va]$/.test(latin1(bytes.subarray(description.content + 12, description.content + 16)))) {
    throw new MediaError("This video is copy protected. Export it without protection.");
  }
  const known = size.width > 0 || !description ? size : readCodedSize(bytes, description);
  return { box, kind, ...known, samples: sampleRanges(bytes, inner) };
}

function readCodedSize(bytes: Uint8Array, description: Box): { width: number; height: number } {
  const { reader } = openBox(bytes, description);
  reader.readBytes(36);
  return { width: reader.u16(), height: reader.u16() };
}

/** Returns the size as displayed: a rotation by 90 degrees swaps width and height. */
function readDisplaySize(bytes: Uint8Array, head: Box): { width: number; height: number } {
  const { reader, version } = openBox(bytes, head);
  reader.readBytes(version === 1 ? 32 : 20);
  reader.readBytes(16);
  const [across, down] = [reader.u32(), reader.u32()];
  reader.readBytes(28);
  const [width, height] = [Math.round(reader.u32() / 65_536), Math.round(reader.u32() / 65_536)];
  return across === 0 && down !== 0 ? { width: height, height: width } : { width, height };
}

/** Returns whether every entry refers to data in this file. */
function isOwnData(bytes: Uint8Array, references: Box): boolean {
  const entries = readBoxes(bytes, { from: references.content + 8, to: references.end });
  return entries.every(({ content }) => (bytes[content + 3] ?? 0) & 1);
}

/** Returns the length in milliseconds from the movie header, else of the longest track; null when unknown. */
export function readDuration(bytes: Uint8Array, movie: Box): number | null {
  const inner = childBoxes(bytes, movie);
  const media = inner
    .filter(({ type }) => type === "trak")
    .flatMap((track) => childBoxes(bytes, track))
    .filter(({ type }) => type === "mdia");
  const heads = media.flatMap((box) => childBoxes(bytes, box)).filter(({ type }) => type === "mdhd");
  const [whole, ...each] = [...inner.filter(({ type }) => type === "mvhd"), ...heads].map((box) =>
    durationOf(bytes, box),
  );
  return whole || Math.max(0, ...each) || null;
}

function durationOf(bytes: Uint8Array, box: Box): number {
  const { reader, version } = openBox(bytes, box);
  reader.readBytes(version === 1 ? 16 : 8);
  const scale = reader.u32();
  const length = version === 1 ? reader.u64() : reader.u32();
  const unknown = scale === 0 || (version === 0 && length === 0xffff_ffff);
  return unknown ? 0 : Math.round((length * 1_000) / scale);
}
