import { z } from "zod";
import { textEncodings } from "./encodings.ts";

/** The encoding that a sender chose for text, as a form field; empty or absent detects it. */
export const textEncodingField = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .enum(["", ...textEncodings], `Choose one of ${textEncodings.join(", ")}`)
      .transform((encoding) => encoding || undefined),
  )
  .optional()
  .describe(`The encoding of text: ${textEncodings.join(", ")}`);
