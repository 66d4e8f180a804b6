/** What loads the script of each part of the screens that have been loaded, by the part's name. */
const loads: { name: string; load: () => Promise<unknown> }[] = [];

export function addPart(name: string, load: () => Promise<unknown>): void {
  loads.push({ name, load });
}

/** Loads the scripts of parts: those of these names, or all. Rejects if one cannot be loaded. */
export async function loadParts(names?: readonly string[]): Promise<void> {
  await Promise.all(loads.map(({ name, load }) => (names?.includes(name) === false ? undefined : load())));
}
