import { expect, test } from "vitest";
import { replaceMarkers } from "#server/bundle/fetch-before-import.ts";

const filesOf = (name: string) => [`/assets/${name}`, "/assets/shared.js"];

test("the marker of an import becomes the files that it needs", () => {
  const code =
    'load(()=>import("./a.js").then((m)=>m.default),__VITE_PRELOAD__),load(()=>import(`./b.js`),__VITE_PRELOAD__)';
  expect(replaceMarkers(code, filesOf)).toBe(
    'load(()=>import("./a.js").then((m)=>m.default),["/assets/a.js","/assets/shared.js"]),load(()=>import("./b.js"),["/assets/b.js","/assets/shared.js"])',
  );
});

test("an import without a marker does not take that of the next one", () => {
  const code = 'import("./plain.js");load(()=>import("./a.js"),__VITE_PRELOAD__)';
  expect(replaceMarkers(code, filesOf)).toBe(
    'import("./plain.js");load(()=>import("./a.js"),["/assets/a.js","/assets/shared.js"])',
  );
  const foreign = 'import("./a.js");load(()=>import(url),__VITE_PRELOAD__)';
  expect(replaceMarkers(foreign, filesOf)).toBe(foreign);
});
