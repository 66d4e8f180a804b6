import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { restoreScroll } from "#app/web/restore-scroll.ts";

const text = readFileSync(projectFile("node_modules/@remix-run/react/dist/scroll-restoration.js"), "utf8");
const [, remixFunction = ""] = /let restoreScroll = (\([\s\S]+?\n {2}\}\))\.toString\(\);/.exec(text) ?? [];

/** Returns what a script does in a browser that has this state and these positions. */
function effectsOf(script: string, state: unknown, positions: string | null) {
  const effects: unknown[] = [];
  const history = {
    state,
    replaceState(next: { key: string }, title: string) {
      history.state = next;
      effects.push(["state", typeof next.key, next.key.length > 5, title]);
    },
  };
  const sessionStorage = {
    getItem: (name: string) => (name === "positions" ? positions : null),
    removeItem: (name: string) => effects.push(["removed", name]),
  };
  const scrollTo = (x: number, y: number) => effects.push(["scrolled", x, y]);
  const window = { history, scrollTo };
  const console = { error: (error: unknown) => effects.push(["reported", String(error)]) };
  runInNewContext(script, { window, history, sessionStorage, scrollTo, console });
  return effects;
}

test.each([
  ["a first visit", null, null],
  ["a page whose place is stored", { key: "abc" }, '{"abc":120}'],
  ["a page whose place is the top", { key: "abc" }, '{"abc":0}'],
  ["a page whose place is not stored", { key: "abc" }, '{"def":120}'],
  ["an entry without a key", { usr: null }, '{"undefined":120}'],
  ["stored text that is not JSON", { key: "abc" }, "{"],
  ["stored text that is null", { key: "abc" }, "null"],
])("on %s, the script does what Remix's does", (_what, state, positions) => {
  const effects = effectsOf(restoreScroll, structuredClone(state), positions);
  const theirs = effectsOf(`(${remixFunction})("positions", null)`, structuredClone(state), positions);
  // Messages name the variables.
  const named = (all: unknown[]) => JSON.stringify(all).replace(/\(reading .*?\)/, "");
  expect(named(effects)).toBe(named(theirs));
});

test("the script has half of the bytes of Remix's", () => {
  expect(restoreScroll.length / `(${remixFunction})("positions", null)`.length).toBeLessThan(0.5);
});
