import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { encodeOnDemand } from "#server/bundle/stream-on-demand.ts";

const code = encodeOnDemand(readFileSync("node_modules/@remix-run/server-runtime/dist/esm/server.js", "utf8"));

test("a page's data are encoded as a stream when that is read, for both renderings of a page", () => {
  const getters = code.match(/get serverHandoffStream\(\) \{.*\}, renderMeta: \{\}/g) ?? [];
  expect(getters).toHaveLength(2);
  expect(code).not.toContain("serverHandoffStream:");
  for (const getter of getters) {
    const encoded: unknown[] = [];
    const names = ["encodeViaTurboStream", "state", "request", "build", "serverMode"];
    const page = compileFunction(`return { ${getter} }`, names)(
      (data: unknown) => encoded.push(data),
      "the data",
      { signal: undefined },
      { entry: { module: {} } },
      "production",
    );
    expect(encoded).toEqual([]);
    expect(page.serverHandoffStream).toBe(1);
    expect(encoded).toEqual(["the data"]);
  }
});
