import { latin1 } from "./byte-reader.ts";
import { cleanGif } from "./clean-gif.ts";
import { cleanJpeg } from "./clean-jpeg.ts";
import { cleanMp4 } from "./clean-mp4.ts";
import { cleanPng } from "./clean-png.ts";
import { detectMedia } from "./detect-media.ts";
import { type CleanMedia, MediaError, mediaErrorMessages } from "./media.ts";

/** Returns the cleaned file. Throws MediaError with a message for the uploader. */
export async function cleanMedia(bytes: Uint8Array): Promise<CleanMedia> {
  const detected = detectMedia(bytes);
  if ("rejection" in detected) throw new MediaError(detected.rejection);
  rejectEmbeddedMarkup(bytes);
  switch (detected.type) {
    case "image/jpeg":
      return cleanJpeg(bytes);
    case "image/png":
      return await cleanPng(bytes);
    case "image/gif":
      return cleanGif(bytes);
    case "video/mp4":
      return cleanMp4(bytes);
  }
}

/** Short ones are followed by what makes them a tag: five letters alone are in one of a thousand videos of 50 MB. */
const programs = /<script|<html[\s>/]|<!doctype html|<iframe|<\?php\s/i;
const window = 1024 * 1024;
const overlap = 16;

/**
 * Rejects a file that is an image and an HTML page at once, which could be served as the latter. Such text hardly
 * occurs by chance.
 */
function rejectEmbeddedMarkup(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += window) {
    if (programs.test(latin1(bytes.subarray(at, at + window + overlap))))
      throw new MediaError(mediaErrorMessages.embeddedMarkup);
  }
}
