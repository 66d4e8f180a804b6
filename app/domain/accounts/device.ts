/** How long a browser is known after a sign-in: as long as browsers keep a cookie. In milliseconds. */
export const deviceLife = 400 * 24 * 60 * 60 * 1000;

const browsers: readonly [RegExp, string][] = [
  [/\bEdg/, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** `Firefox on Windows`: the family of a browser and its system, never more of what it says of itself. Pure. */
export function deviceWords(userAgent: string | null): string {
  const nameOf = (families: typeof browsers) => families.find(([sign]) => sign.test(userAgent ?? ""))?.[1];
  const [browser, system] = [nameOf(browsers) ?? "an unknown browser", nameOf(systems)];
  return system ? `${browser} on ${system}` : browser;
}
