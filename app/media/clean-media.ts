import { latin1 } from "./byte-reader.ts";
import { cleanGif } from "./clean-gif.ts";
import { cleanJpeg } from "./clean-jpeg.ts";
import { cleanMp4 } from "./clean-mp4.ts";
import { cleanPng } from "./clean-png.ts";
import { detectMedia } from "./detect-media.ts";
import { type CleanMedia, MediaError, refusals } from "./media.ts";

/** The whole file as it may be kept. Throws MediaError with words for the person who sent it. */
export async function cleanMedia(bytes: Uint8Array): Promise<CleanMedia> {
  const detected = detectMedia(bytes);
  if ("refused" in detected) throw new MediaError(detected.refused);
  refusePrograms(bytes);
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

const programs = /<script|<html|<!doctype html|<iframe|<\?php/i;
const window = 1024 * 1024;
const overlap = 16;

/** A file that is a picture and a page at once is made to be taken for the other one. Chance does not write such words. */
function refusePrograms(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += window) {
    if (programs.test(latin1(bytes.subarray(at, at + window + overlap)))) throw new MediaError(refusals.program);
  }
}
