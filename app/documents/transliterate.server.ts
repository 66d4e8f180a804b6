import { readFileSync } from "node:fs";
import anyAscii from "any-ascii";
import { create } from "fontkit";
import { projectFile } from "#app/project-file.server.ts";

/** The font files of documents: Inter, under the SIL Open Font License beside them. */
export const fontFiles = {
  regular: projectFile("app/documents/fonts/inter-regular.ttf"),
  bold: projectFile("app/documents/fonts/inter-semibold.ttf"),
};

const known = lettersOf(fontFiles.regular);

/**
 * Transliterates a text to the characters of the documents' font: other scripts become Latin (`BeiJing`), an emoji
 * becomes its name (`:coffee:`), and everything else a question mark instead of an empty box.
 */
export function transliterate(text: string): string {
  return text.replace(/\P{ASCII}/gu, (letter) => (known.has(letter) ? letter : inLatin(letter)));
}

function inLatin(letter: string): string {
  const latin = anyAscii(letter);
  if (latin !== "" && latin !== letter) return latin;
  // Marks, joiners and variation selectors only modify the preceding character.
  return /[\p{M}\p{Cf}\p{Sk}]/u.test(letter) ? "" : "?";
}

function lettersOf(file: string): ReadonlySet<string> {
  const font = create(readFileSync(file));
  if (!("characterSet" in font)) throw new Error("document font file is a collection, not a single font");
  return new Set(font.characterSet.map((point) => String.fromCodePoint(point)));
}
