/**
 * Returns a column name or cell as it is compared: lower case, letters and digits of all scripts only, without accents.
 * "E-Mail-Adresse" becomes "emailadresse", "Téléphone" becomes "telephone".
 */
export function headerKey(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
