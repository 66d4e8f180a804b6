/** The kinds of files that an ad can be made of, by what is in them. Pure. */
const mediaTypes = ["image/jpeg", "image/png", "image/gif", "video/mp4"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** What a picture or a film may be at most. */
export const mediaLimits = {
  /** Pixels of either side, and of one picture. */
  side: 16_384,
  pixels: 40_000_000,
  frames: 2_000,
  /** Of all frames of an animation together. */
  framePixels: 2_000_000_000,
} as const;

/** A file that can be taken, as it may be kept: without what its maker, its camera or its sender put beside the picture. */
export type CleanMedia = {
  type: MediaType;
  width: number;
  height: number;
  /** Of films and animations, in milliseconds. */
  durationMs: number | null;
  /** One after another: the file. */
  parts: Uint8Array[];
  /** EXIF's way up (1: as it is) when the picture has to be turned. */
  orientation?: number;
};

/** The file cannot be taken. `message` is a sentence for the person who sent it. */
export class MediaError extends Error {
  override name = "MediaError";
}

export const refusals = {
  cutOff: "The file is cut off: its end is missing. Export it again and upload it anew.",
  damaged: "The file is damaged and cannot be read. Export it again and upload it anew.",
  behind: "There is other data behind the picture. Export it again from your editor, as a picture alone.",
  program: "The file holds parts of a web page or a program, and no ad needs that. Export it again from your editor.",
  tooManyPixels: `The picture is too large: at most ${mediaLimits.side.toLocaleString("en-US")} pixels a side and ${mediaLimits.pixels / 1e6} megapixels.`,
  tooManyFrames: "The animation is too long. Shorten it, make it smaller, or use an MP4.",
  bomb: "The picture unpacks to more than its size says, which no editor makes. Export it again.",
};

/** Throws unless a picture of that size can be shown anywhere. */
export function requireSize({ width, height }: { width: number; height: number }): void {
  if (width < 1 || height < 1) throw new MediaError(refusals.damaged);
  if (width > mediaLimits.side || height > mediaLimits.side || width * height > mediaLimits.pixels) {
    throw new MediaError(refusals.tooManyPixels);
  }
}

export function requireFrames({ frames, framePixels }: { frames: number; framePixels: number }): void {
  if (frames > mediaLimits.frames || framePixels > mediaLimits.framePixels) {
    throw new MediaError(refusals.tooManyFrames);
  }
}
