/** How long a browser stays known after a sign-in, in milliseconds: the maximum lifetime of a cookie. */
export const deviceTtlMs = 400 * 24 * 60 * 60 * 1000;

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

/** Describes a browser as in `Firefox on Windows`: its family and operating system only. Pure. */
export function describeDevice(userAgent: string | null): string {
  const nameOf = (families: typeof browsers) => families.find(([sign]) => sign.test(userAgent ?? ""))?.[1];
  const [browser, system] = [nameOf(browsers) ?? "Unknown browser", nameOf(systems)];
  return system ? `${browser} on ${system}` : browser;
}
