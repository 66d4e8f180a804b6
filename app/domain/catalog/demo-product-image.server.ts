import { readFile } from "node:fs/promises";
import { projectFile } from "#app/project-file.server.ts";

/** The demo's products name their images at a host that nobody can own (RFC 2606). The files are the project's. */
const host = "https://demo.example";

/** Returns the URL in the catalog of a demo product's image. */
export function demoProductImageUrl(sku: string): string {
  return `${host}/products/${sku.toLowerCase()}.png`;
}

/** Whether the URL is at the host of the demo's images, which no request can reach. */
export function isDemoProductImage(url: string): boolean {
  return url.startsWith(`${host}/`);
}

/** Reads the image that such a URL names; undefined if there is none. */
export async function readDemoProductImage(url: string): Promise<Buffer | undefined> {
  const name = /^\/products\/([\da-z-]+\.png)$/.exec(url.slice(host.length))?.[1];
  if (!name) return undefined;
  return readFile(projectFile(`db/seed/products/${name}`)).catch(() => undefined);
}
