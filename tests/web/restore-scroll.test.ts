import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { nameHistoryEntry } from "#app/web/name-history-entry.ts";
import { restoreScroll } from "#app/web/restore-scroll.ts";

const text = readFileSync(projectFile("node_modules/@remix-run/react/dist/scroll-restoration.js"), "utf8");
const [, remixFunction = ""] = /let restoreScroll = (\([\s\S]+?\n {2}\}\))\.toString\(\);/.exec(text) ?? [];

/** Returns what a page does in a browser that has this state and these positions. */
function effectsOf(state: unknown, positions: string | null, load: (browser: Browser) => void) {
  const effects: unknown[] = [];
  const history = {
    state,
    replaceState(next: { key: string }, title: string) {
      history.state = next;
      effects.push(["state", typeof next.key, next.key.length > 5, title]);
    },
  };
  const sessionStorage = {
    ...(positions === null ? {} : { positions }),
    getItem: (name: string) => (name === "positions" ? positions : null),
    removeItem: () => undefined,
  };
  const scrollTo = (x: number, y: number) => effects.push(["scrolled", x, y]);
  load({ window: { history, scrollTo }, history, sessionStorage, scrollTo, console: { error: () => undefined } });
  return effects;
}

type Browser = { history: Pick<History, "state" | "replaceState"> } & Record<string, unknown>;

test.each([
  ["a first visit", null, null],
  ["a page whose place is stored", { key: "abc" }, '{"abc":120}'],
  ["a page whose place is the top", { key: "abc" }, '{"abc":0}'],
  ["a page whose place is not stored", { key: "abc" }, '{"def":120}'],
  ["an entry without a key", { usr: null }, '{"default":120}'],
  ["stored text that is not JSON", { key: "abc" }, "{"],
  ["stored text that is null", { key: "abc" }, "null"],
])("on %s, the script and the entry's name do what Remix's script does", (_what, state, positions) => {
  const effects = effectsOf(structuredClone(state), positions, (browser) => {
    runInNewContext(restoreScroll, browser);
    nameHistoryEntry(browser.history);
  });
  const theirs = effectsOf(structuredClone(state), positions, (browser) =>
    runInNewContext(`(${remixFunction})("positions", null)`, browser),
  );
  expect(effects).toEqual(theirs);
});

test("an entry that has a key keeps it", () => {
  expect(effectsOf({ key: "abc" }, null, ({ history }) => nameHistoryEntry(history))).toEqual([]);
});

test("the script has a quarter of the bytes of Remix's", () => {
  expect(restoreScroll.length / `(${remixFunction})("positions", null)`.length).toBeLessThan(0.25);
});
