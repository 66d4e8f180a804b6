/**
 * What nobody sees, and what changes the direction of the text around it: Unicode's Default_Ignorable_Code_Point, which
 * includes Bidi_Control, and marks of annotations. Joiners and variation selectors are excluded, because scripts and
 * emoji need them, and so are the tags of flags such as Scotland's.
 */
const invisible =
  /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|(?![\p{Join_Control}\p{Variation_Selector}])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Matches a text that shows anything. The blank Braille pattern (U+2800) is a symbol to Unicode. */
export const visiblePattern = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns the text without invisible characters, which make two names look the same or reorder what follows a name. */
export function removeInvisible(text: string): string {
  return text.replace(invisible, "$1");
}

/** Returns the text without invisible characters and surrounding blanks; empty if it shows nothing. */
export function visibleText(text: string): string {
  const clean = removeInvisible(text).trim();
  return visiblePattern.test(clean) ? clean : "";
}
