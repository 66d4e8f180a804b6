import { type CleanMedia, MediaError, mediaErrorMessages, requireSize } from "./media.ts";
import { type Box, childBoxes, readBoxes } from "./mp4-boxes.ts";
import type { SampleRange } from "./mp4-samples.ts";
import { readDuration, readTrack } from "./mp4-track.ts";

/** For each opened box: the boxes that are copied unchanged, and those that are opened too. All others are blanked. */
const boxRules: Record<string, { whole: readonly string[]; opened: readonly string[] }> = {
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

const noFrames = "This MP4 has no frames, or a form of MP4 that can't be read. Export it as a standard MP4.";

/**
 * Returns an MP4 with its video and audio only: locations, authors, times, texts and other tracks (such as camera
 * metadata) are blanked in place, so that no offset changes, and so is all data that no video or audio track
 * references. Throws MediaError.
 */
export function cleanMp4(bytes: Uint8Array): CleanMedia {
  const top = readBoxes(bytes, { from: 0, to: bytes.length });
  const movie = top.find(({ type }) => type === "moov");
  if (top.some(({ type }) => type === "moof"))
    throw new MediaError("This is a fragmented streaming video. Export it as a standard MP4.");
  if (!movie) throw new MediaError(mediaErrorMessages.truncated);
  const clean = new CleanCopy(bytes);
  for (const box of top) {
    if (box.type === "ftyp") clean.copy({ from: box.start, to: box.end });
    else if (box.type === "mdat") clean.copy({ from: box.start, to: box.content });
    else if (box === movie) clean.copy({ from: box.start, to: box.content });
    else clean.blank(box);
  }
  const data = top.filter(({ type }) => type === "mdat");
  const tracks = childBoxes(bytes, movie)
    .filter(({ type }) => type === "trak")
    .map((box) => readTrack(bytes, box));
  const shown = tracks.filter(({ kind }) => kind === "vide" || kind === "soun");
  const pictures = shown.find(({ kind }) => kind === "vide");
  if (!pictures) throw new MediaError("This MP4 has no video track. Upload a file with video.");
  // What no table locates would be blanked, and the video stored as an empty one.
  if (!pictures.samples.some(({ from, to }) => to > from)) throw new MediaError(noFrames);
  copyBoxes(clean, movie, new Set(shown.map(({ box }) => box.start)));
  let copied = 0;
  for (const { samples } of shown) {
    for (const range of samples) {
      copied += range.to - range.from;
      // A small file could refer to the same data a million times.
      if (copied > 2 * bytes.length) throw new MediaError(mediaErrorMessages.damaged);
      if (!data.some(({ content, end }) => range.from >= content && range.to <= end))
        throw new MediaError(mediaErrorMessages.damaged);
      clean.copy(range);
    }
  }
  const { width, height } = pictures;
  requireSize({ width, height });
  return { type: "video/mp4", width, height, durationMs: readDuration(bytes, movie), parts: [clean.bytes] };
}

/** A buffer of zeros into which the retained data is copied. */
class CleanCopy {
  readonly source: Uint8Array;
  readonly bytes: Uint8Array;

  constructor(source: Uint8Array) {
    this.source = source;
    this.bytes = new Uint8Array(source.length);
  }

  copy({ from, to }: SampleRange): void {
    this.bytes.set(this.source.subarray(from, to), from);
  }

  zero({ from, to }: SampleRange): void {
    this.bytes.fill(0, from, to);
  }

  /** Retains the box but blanks its content. */
  blank(box: Box): void {
    this.zero({ from: box.start, to: box.end });
    this.copy({ from: box.start, to: box.content });
    this.bytes.set(Buffer.from("free", "latin1"), box.start + 4);
  }
}

/**
 * Copies the retained content of a box whose header was copied. Creation times and handler names reveal the author and
 * are blanked.
 */
function copyBoxes(clean: CleanCopy, outer: Box, tracks: ReadonlySet<number>): void {
  const rules = boxRules[outer.type];
  for (const box of childBoxes(clean.source, outer)) {
    if (rules?.whole.includes(box.type)) {
      clean.copy({ from: box.start, to: box.end });
      if (/^(mv|tk|md)hd$/.test(box.type)) {
        const version = clean.source[box.content];
        clean.zero({ from: box.content + 4, to: box.content + (version === 1 ? 20 : 12) });
      }
      if (box.type === "hdlr") clean.zero({ from: box.content + 24, to: box.end });
    } else if (rules?.opened.includes(box.type) && (box.type !== "trak" || tracks.has(box.start))) {
      clean.copy({ from: box.start, to: box.content });
      copyBoxes(clean, box, tracks);
    } else clean.blank(box);
  }
}
