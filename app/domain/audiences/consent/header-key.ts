/**
 * Returns a column name or cell as it is compared: lower case, letters and digits of all scripts only, without accents.
 * "E-Mail-Adresse" becomes "emailadresse", "Téléphone" becomes "telephone".
 */
export function headerKey(text: string): string {
  return foldCase(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Returns a name like headerKey, with one space between its words: "Do-not-contact_2" becomes "do not contact 2",
 * "DoNotContact" "do not contact".
 */
export function separateWords(text: string): string {
  const letters = text.normalize("NFKD").replace(/['’\p{M}]/gu, "");
  return foldCase(letters.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, " "))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function foldCase(text: string): string {
  return text.normalize("NFKD").toLowerCase().replaceAll("ł", "l");
}
