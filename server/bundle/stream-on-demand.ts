import type { Plugin } from "vite";
import { applyEdits, replaceAll } from "./text-edits.ts";

const file = "@remix-run/server-runtime/dist/esm/server.js";
const encodedAtOnce =
  /\.\.\.\(build\.future\.v3_singleFetch \? \{\s+serverHandoffStream: (encodeViaTurboStream\(.+\)),\s+renderMeta: \{\}\s+\} : null\)/g;

/**
 * Remix encodes the data of a page as a stream before the page is rendered, and most pages have their data as an
 * expression instead (docs/decisions/0123-html-of-lists.md). In the server's build the stream is encoded when it is
 * first read. The build fails if Remix's text has changed.
 */
export function streamOnDemand(): Plugin {
  let isEdited = false;
  return {
    name: "stream-on-demand",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith(`/node_modules/${file}`)) return undefined;
      isEdited = true;
      return { code: encodeOnDemand(code), map: null };
    },
    generateBundle() {
      if (!isEdited) throw new Error(`The bundle lacks ${file}`);
    },
  };
}

/** Returns the text of Remix's `server.js` with a getter in place of each stream of a page. */
export function encodeOnDemand(code: string): string {
  const toGetter = (text: string) =>
    text.replace(encodedAtOnce, "get serverHandoffStream() { return $1; }, renderMeta: {}");
  return applyEdits(code, [replaceAll(encodedAtOnce, toGetter)], file);
}
