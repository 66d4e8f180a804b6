import { type CleanMedia, MediaError, refusals, requireSize } from "./media.ts";
import { type Box, boxesIn, innerBoxes } from "./mp4-boxes.ts";
import type { Range } from "./mp4-samples.ts";
import { durationOf, trackOf } from "./mp4-track.ts";

/** In each box that is opened: the boxes that are kept as they are, and those that are opened too. All others are blanked. */
const kept: Record<string, { whole: readonly string[]; opened: readonly string[] }> = {
  moov: { whole: ["mvhd"], opened: ["trak"] },
  trak: { whole: ["tkhd", "edts"], opened: ["mdia"] },
  mdia: { whole: ["mdhd", "hdlr"], opened: ["minf"] },
  minf: { whole: ["vmhd", "smhd", "nmhd"], opened: ["dinf", "stbl"] },
  dinf: { whole: ["dref"], opened: [] },
  stbl: {
    whole: ["stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stco", "co64", "stss", "sdtp", "sbgp", "sgpd"],
    opened: [],
  },
};

/**
 * An MP4 with its pictures and sound: places, makers, times, texts and other tracks (a camera's way, for one) are blanked
 * where they stand, so that nothing moves, and so is all that no track of pictures or sound refers to. Throws MediaError.
 */
export function cleanMp4(bytes: Uint8Array): CleanMedia {
  const top = boxesIn(bytes, { from: 0, to: bytes.length });
  const movie = top.find(({ type }) => type === "moov");
  if (top.some(({ type }) => type === "moof"))
    throw new MediaError("This film is cut in fragments, for streaming. Export it as an ordinary MP4.");
  if (!movie) throw new MediaError(refusals.cutOff);
  const clean = new Copy(bytes);
  for (const box of top) {
    if (box.type === "ftyp") clean.keep({ from: box.start, to: box.end });
    else if (box.type === "mdat") clean.keep({ from: box.start, to: box.content });
    else if (box === movie) clean.keep({ from: box.start, to: box.content });
    else clean.blank(box);
  }
  const data = top.filter(({ type }) => type === "mdat");
  const tracks = innerBoxes(bytes, movie)
    .filter(({ type }) => type === "trak")
    .map((box) => trackOf(bytes, box));
  const shown = tracks.filter(({ kind }) => kind === "vide" || kind === "soun");
  const pictures = shown.find(({ kind }) => kind === "vide");
  if (!pictures) throw new MediaError("This MP4 has no pictures.");
  copyBoxes(clean, movie, new Set(shown.map(({ box }) => box.start)));
  for (const { samples } of shown) {
    for (const range of samples) {
      if (!data.some(({ content, end }) => range.from >= content && range.to <= end))
        throw new MediaError(refusals.damaged);
      clean.keep(range);
    }
  }
  const { width, height } = pictures;
  requireSize({ width, height });
  return { type: "video/mp4", width, height, durationMs: durationOf(bytes, movie), parts: [clean.bytes] };
}

/** Zeros, into which is copied what stays. */
class Copy {
  readonly source: Uint8Array;
  readonly bytes: Uint8Array;

  constructor(source: Uint8Array) {
    this.source = source;
    this.bytes = new Uint8Array(source.length);
  }

  keep({ from, to }: Range): void {
    this.bytes.set(this.source.subarray(from, to), from);
  }

  zero({ from, to }: Range): void {
    this.bytes.fill(0, from, to);
  }

  /** The box is there, and says that nothing is in it. */
  blank(box: Box): void {
    this.zero({ from: box.start, to: box.end });
    this.keep({ from: box.start, to: box.content });
    this.bytes.set(Buffer.from("free", "latin1"), box.start + 4);
  }
}

/** Copies what stays in a box whose head is there already. Times of making and the handler's name say who made it when. */
function copyBoxes(clean: Copy, outer: Box, tracks: ReadonlySet<number>): void {
  const rules = kept[outer.type];
  for (const box of innerBoxes(clean.source, outer)) {
    if (rules?.whole.includes(box.type)) {
      clean.keep({ from: box.start, to: box.end });
      if (/^(mv|tk|md)hd$/.test(box.type)) {
        const version = clean.source[box.content];
        clean.zero({ from: box.content + 4, to: box.content + (version === 1 ? 20 : 12) });
      }
      if (box.type === "hdlr") clean.zero({ from: box.content + 24, to: box.end });
    } else if (rules?.opened.includes(box.type) && (box.type !== "trak" || tracks.has(box.start))) {
      clean.keep({ from: box.start, to: box.content });
      copyBoxes(clean, box, tracks);
    } else clean.blank(box);
  }
}
