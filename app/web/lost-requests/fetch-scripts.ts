/**
 * The fetch of each script file. Files that the page preloads count as fetched, even if they failed: without them the
 * page is not hydrated.
 */
const fetches = new Map<string, Promise<void>>();

/**
 * Fetches script files into the browser's cache, from where an `import()` reads them. Rejects if one does not arrive;
 * the next call fetches it again. In many browsers an import that failed fails for as long as the page is open, and so
 * does every import that needs the same file. A failed fetch has no such effect.
 */
export async function fetchScripts(files: readonly string[]): Promise<void> {
  if (fetches.size === 0) {
    for (const link of document.querySelectorAll("link[rel=modulepreload]"))
      fetches.set(String(link.getAttribute("href")), Promise.resolve());
  }
  await Promise.all(files.map((file) => fetches.get(file) ?? fetchScript(file)));
}

function fetchScript(file: string): Promise<void> {
  const fetching = readFile(file);
  fetches.set(file, fetching);
  fetching.catch(() => fetches.delete(file));
  return fetching;
}

async function readFile(file: string): Promise<void> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  // The browser's cache has the file once it is read to its end.
  await response.blob();
}
