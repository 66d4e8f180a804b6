import { z } from "zod";
import { wire } from "#app/api/wire.ts";
import { encodingSources, type ReadEncoding, textEncodings } from "#app/sheets/text/encodings.ts";

export const encodingSchema = z
  .object({
    name: z.enum(textEncodings),
    source: z.enum(encodingSources).describe("mark: by the byte-order mark of the file"),
    characters: z.string().describe("Letters and signs beyond ASCII that the file has, each once"),
    unreadable: wire.count.describe("Characters that don't exist in the encoding. For utf-8, cells that are not UTF-8"),
  })
  .describe("The encoding that a text file was read in");

export function encodingJson(read: ReadEncoding | undefined): z.input<typeof encodingSchema> | null {
  if (!read) return null;
  const { encoding, ...facts } = read;
  return { name: encoding, ...facts };
}
