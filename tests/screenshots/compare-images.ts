import sharp from "sharp";

/** How far two colors may be apart in each channel, of 255: what another smoothing changes in text on a ground. */
const tolerance = 64;

type Pixels = { data: Buffer; width: number; height: number };

/**
 * Returns the number of pixels of each image that the other lacks: none of the 9 pixels around the same place has a
 * similar color. Edges that are smoothed a little otherwise are similar; another digit is not.
 */
export async function countDifferentPixels(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all([readPixels(one), readPixels(other)]);
  if (first.width !== second.width || first.height !== second.height) {
    throw new Error(`${first.width} × ${first.height} and ${second.width} × ${second.height} pixels`);
  }
  return countMissing(first, second) + countMissing(second, first);
}

async function readPixels(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function countMissing(from: Pixels, within: Pixels): number {
  let missing = 0;
  for (let y = 0; y < from.height; y += 1) {
    for (let x = 0; x < from.width; x += 1) if (!hasSimilar(within, { x, y, like: from })) missing += 1;
  }
  return missing;
}

function hasSimilar({ data, width, height }: Pixels, { x, y, like }: { x: number; y: number; like: Pixels }): boolean {
  const at = (y * width + x) * 3;
  if (isSimilar(data, at, like.data, at)) return true;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
      if (isSimilar(data, (row * width + column) * 3, like.data, at)) return true;
    }
  }
  return false;
}

function isSimilar(one: Buffer, at: number, other: Buffer, otherAt: number): boolean {
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs((one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0)) > tolerance) return false;
  }
  return true;
}
