import sharp from "sharp";

/**
 * Compresses a screenshot as it is stored: to WebP, or to a PNG with a palette by its name, because readers of social
 * cards do not all know WebP. The same pixels give the same file.
 */
export function encodeScreenshot({ file, png }: { file: string; png: Buffer }): Promise<Buffer> {
  const image = sharp(png);
  return (
    file.endsWith(".png")
      ? image.png({ palette: true, quality: 90, effort: 10 })
      : image.webp({ quality: 90, effort: 6, smartSubsample: true })
  ).toBuffer();
}
