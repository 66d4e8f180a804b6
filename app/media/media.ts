/** The media types of ads, by content. Pure. */
const mediaTypes = ["image/jpeg", "image/png", "image/gif", "video/mp4"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** Limits of an image or a video. */
export const mediaLimits = {
  /** Pixels per side, and of one image. */
  side: 16_384,
  pixels: 40_000_000,
  frames: 2_000,
  /** The sum of the pixels of all frames of an animation. */
  framePixels: 2_000_000_000,
  /** The scans of a JPEG, and the sum of the pixels of all of them: a decoder passes over the whole image for each. */
  scans: 100,
  scanPixels: 800_000_000,
} as const;

/** A file without the metadata that its author, camera or sender added. */
export type CleanMedia = {
  type: MediaType;
  width: number;
  height: number;
  /** The length of a video or an animation in milliseconds; null for still images. */
  durationMs: number | null;
  /** The parts of the file, in order. */
  parts: Uint8Array[];
  /** The EXIF orientation, 1 to 8; anything but 1 needs a rotation. */
  orientation?: number;
};

/** The file was rejected. `message` is a sentence for the uploader. */
export class MediaError extends Error {
  override name = "MediaError";
}

export const mediaErrorMessages = {
  truncated: "The file is incomplete. Export it again and upload the new file.",
  damaged: "The file is damaged. Export it again and upload the new file.",
  trailingData: "The file contains extra data after the image. Export the image again from your editor.",
  embeddedMarkup: "The file contains code, which is not allowed. Export it again from your editor.",
  tooManyPixels: `The image is too large. Use up to ${mediaLimits.side.toLocaleString("en-US")} pixels per side and ${mediaLimits.pixels / 1e6} megapixels.`,
  tooManyFrames: "The animation is too long. Shorten it, reduce its size or use an MP4.",
  tooManyScans:
    "The image has too many progressive scans for its size. Export it as a baseline JPG, or reduce its size.",
  decompressionBomb: "The image data does not match its size. Export it again from your editor.",
};

/** Throws MediaError unless an image of that size, in pixels, is within the limits. */
export function requireSize({ width, height }: { width: number; height: number }): void {
  if (width < 1 || height < 1) throw new MediaError(mediaErrorMessages.damaged);
  if (width > mediaLimits.side || height > mediaLimits.side || width * height > mediaLimits.pixels) {
    throw new MediaError(mediaErrorMessages.tooManyPixels);
  }
}

/** Throws MediaError for an animation with too many frames, or too many pixels in all frames together. */
export function requireFrames({ frames, framePixels }: { frames: number; framePixels: number }): void {
  if (frames > mediaLimits.frames || framePixels > mediaLimits.framePixels) {
    throw new MediaError(mediaErrorMessages.tooManyFrames);
  }
}

/** Throws MediaError for a JPEG of that size, in pixels, with too many scans. Editors write about ten. */
export function requireScans({ width, height }: { width: number; height: number }, scans: number): void {
  if (scans > mediaLimits.scans || width * height * scans > mediaLimits.scanPixels)
    throw new MediaError(mediaErrorMessages.tooManyScans);
}
