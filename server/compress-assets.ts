import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Brotli's default is its highest quality. */
const compressors = {
  br: (bytes: Buffer) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes: Buffer) => compressGzip(bytes, { level: 9 }),
};

/**
 * Writes a file of each compression beside every script, style sheet and drawing of a folder, which the server sends as
 * it is: each is compressed once, as well as possible, instead of with every response.
 */
export async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      for (const [extension, compress] of Object.entries(compressors)) {
        const compressed = await compress(bytes);
        if (compressed.length < bytes.length) await writeFile(join(folder, `${name}.${extension}`), compressed);
      }
    }),
  );
}
