/** The themes that a person can choose in place of the system's. */
export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Parses the theme of a cookie or of the document; undefined for the system's. */
export function parseTheme(text: string | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}
