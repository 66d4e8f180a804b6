import { expect, test } from "vitest";
import { type Turn, takeTurn, waitForTurn } from "#app/domain/audiences/files/reading-turns.server.ts";

const second = 1_000;
const kilobyte = 1_024;

/** Senders that came before, each slower than the reading, until none more is begun. */
function takeAll(): Turn[] {
  const taken: Turn[] = [];
  for (let turn = takeTurn(); turn; turn = takeTurn()) {
    turn.waited({ milliseconds: 40 * second, bytes: 500 * kilobyte });
    taken.push(turn);
  }
  return taken;
}

test("senders that are slow hold turns only as long as nobody waits for one", async () => {
  const taken = takeAll();
  expect(taken.length).toBeGreaterThan(6);
  for (const turn of taken) turn.waited({ milliseconds: 10 * second, bytes: kilobyte });
  const waiting = waitForTurn();
  const [slow, fast, ...others] = taken;
  fast?.waited({ milliseconds: second, bytes: 100_000 * kilobyte });
  fast?.waited({ milliseconds: second, bytes: kilobyte });
  expect(() => slow?.waited({ milliseconds: second, bytes: kilobyte })).toThrow(/too slowly.*Send it again\.$/);
  slow?.end();
  const given = await waiting;
  expect(takeTurn()).toBeUndefined();
  for (const turn of [given, fast, ...others]) turn?.end();
  takeTurn()?.end();
});

test("a turn begins with patience: a sender may be slow at first", async () => {
  const taken = takeAll();
  taken.pop()?.end();
  const late = takeTurn();
  const waiting = waitForTurn();
  late?.waited({ milliseconds: 20 * second, bytes: kilobyte });
  expect(() => late?.waited({ milliseconds: 20 * second, bytes: kilobyte })).toThrow(/too slowly/);
  late?.end();
  for (const turn of [await waiting, ...taken]) turn.end();
});
