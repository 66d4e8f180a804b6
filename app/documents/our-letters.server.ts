import { readFileSync } from "node:fs";
import anyAscii from "any-ascii";
import { create } from "fontkit";
import { projectFile } from "#app/project-file.server.ts";

/** The files of the font of documents: Inter, under the SIL Open Font License beside them. */
export const fontFiles = {
  regular: projectFile("app/documents/fonts/inter-regular.ttf"),
  bold: projectFile("app/documents/fonts/inter-semibold.ttf"),
};

const known = lettersOf(fontFiles.regular);

/**
 * A text in letters that the font of documents has: those of other scripts are written in Latin ones (`BeiJing`), an emoji by its name
 * (`:coffee:`), and what has neither is a question mark, so that no name is a row of empty boxes.
 */
export function inOurLetters(text: string): string {
  return text.replace(/\P{ASCII}/gu, (letter) => (known.has(letter) ? letter : inLatin(letter)));
}

function inLatin(letter: string): string {
  const latin = anyAscii(letter);
  if (latin !== "" && latin !== letter) return latin;
  // Marks, joiners and variations only change what stands before them.
  return /[\p{M}\p{Cf}\p{Sk}]/u.test(letter) ? "" : "?";
}

function lettersOf(file: string): ReadonlySet<string> {
  const font = create(readFileSync(file));
  if (!("characterSet" in font)) throw new Error("the font of documents is one font");
  return new Set(font.characterSet.map((point) => String.fromCodePoint(point)));
}
