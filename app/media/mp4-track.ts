import { latin1 } from "./byte-reader.ts";
import { MediaError } from "./media.ts";
import { type Box, boxesIn, innerBoxes, openBox } from "./mp4-boxes.ts";
import { type Range, sampleRanges } from "./mp4-samples.ts";

/** `kind` is the handler's word: `vide` for pictures, `soun` for sound. Only these have samples here. */
type Track = { box: Box; kind: string; width: number; height: number; samples: Range[] };

/** What a track holds, and where in the file. Throws MediaError for one that cannot be taken. */
export function trackOf(bytes: Uint8Array, box: Box): Track {
  const within = (outer: Box | undefined, type: string) =>
    outer && innerBoxes(bytes, outer).find((one) => one.type === type);
  const head = within(box, "tkhd");
  const media = within(box, "mdia");
  const information = within(media, "minf");
  const tables = within(information, "stbl");
  const handler = within(media, "hdlr");
  const size = head ? shownSize(bytes, head) : { width: 0, height: 0 };
  // A sloppy writer leaves the handler out.
  const kind = handler
    ? latin1(bytes.subarray(handler.content + 8, handler.content + 12))
    : size.width > 0
      ? "vide"
      : "";
  if (kind !== "vide" && kind !== "soun") return { box, kind, ...size, samples: [] };
  const references = within(within(information, "dinf"), "dref");
  if (references && !isOwnData(bytes, references))
    throw new MediaError("This film refers to other files. Export it as one MP4.");
  const inner = tables ? innerBoxes(bytes, tables) : [];
  const description = inner.find(({ type }) => type === "stsd");
  if (description && /^enc[va]$/.test(latin1(bytes.subarray(description.content + 12, description.content + 16)))) {
    throw new MediaError("This film is protected against copying. Export it without.");
  }
  const known = size.width > 0 || !description ? size : codedSize(bytes, description);
  return { box, kind, ...known, samples: sampleRanges(bytes, inner) };
}

function codedSize(bytes: Uint8Array, description: Box): { width: number; height: number } {
  const { reader } = openBox(bytes, description);
  reader.take(36);
  return { width: reader.u16(), height: reader.u16() };
}

/** As it is to be shown: turned by a quarter, width and height change places. */
function shownSize(bytes: Uint8Array, head: Box): { width: number; height: number } {
  const { reader, version } = openBox(bytes, head);
  reader.take(version === 1 ? 32 : 20);
  reader.take(16);
  const [across, down] = [reader.u32(), reader.u32()];
  reader.take(28);
  const [width, height] = [Math.round(reader.u32() / 65_536), Math.round(reader.u32() / 65_536)];
  return across === 0 && down !== 0 ? { width: height, height: width } : { width, height };
}

/** Whether each entry says that the data is in this file. */
function isOwnData(bytes: Uint8Array, references: Box): boolean {
  const entries = boxesIn(bytes, { from: references.content + 8, to: references.end });
  return entries.every(({ content }) => (bytes[content + 3] ?? 0) & 1);
}

/** In milliseconds, as the film says, else as its longest track does; null where it is not known. */
export function durationOf(bytes: Uint8Array, movie: Box): number | null {
  const inner = innerBoxes(bytes, movie);
  const media = inner
    .filter(({ type }) => type === "trak")
    .flatMap((track) => innerBoxes(bytes, track))
    .filter(({ type }) => type === "mdia");
  const heads = media.flatMap((box) => innerBoxes(bytes, box)).filter(({ type }) => type === "mdhd");
  const [whole, ...each] = [...inner.filter(({ type }) => type === "mvhd"), ...heads].map((box) => timeOf(bytes, box));
  return whole || Math.max(0, ...each) || null;
}

function timeOf(bytes: Uint8Array, box: Box): number {
  const { reader, version } = openBox(bytes, box);
  reader.take(version === 1 ? 16 : 8);
  const scale = reader.u32();
  const length = version === 1 ? reader.u64() : reader.u32();
  const unknown = scale === 0 || (version === 0 && length === 0xffff_ffff);
  return unknown ? 0 : Math.round((length * 1_000) / scale);
}
