import { availableParallelism } from "node:os";
import { sendAgain } from "../../heartbeat.ts";
import { FileRefusal } from "./file-refusal.ts";

/** Uploads whose files are read and merged at once: each fills a processor, and about 100 MB. */
const mostAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));
/** With those among them whose senders are slower than the reading. */
const mostInAll = mostAtOnce + 6;
/** A reader that waited so long for its sender, all in all, does nothing else. In milliseconds. */
const mostWaited = 5_000;
/** While others wait, a sender may begin slowly for so long, and must be faster all in all then. */
const patience = 30_000;
const leastBytesPerSecond = 128 * 1024;

/** The right to read an upload's files. `end` may be called again. */
export type Turn = {
  /**
   * The reader waited so many milliseconds for so many bytes from the sender. Throws FileRefusal when slow senders hold all
   * turns, others wait, and this is one that is too slow.
   */
  waited: (wait: { milliseconds: number; bytes: number }) => void;
  end: () => void;
};

type Turns = { counted: number; all: number; waiting: ((turn: Turn) => void)[] };

/** On globalThis, because the server and the bundle that Remix builds each have their own copy of this module. */
const holderKey = Symbol.for("endcap.reading-turns");

function turns(): Turns {
  const held: Turns | undefined = Reflect.get(globalThis, holderKey);
  if (held) return held;
  const made: Turns = { counted: 0, all: 0, waiting: [] };
  Reflect.set(globalThis, holderKey, made);
  return made;
}

/** A turn, when one is free and nobody waits for it. */
export function takeTurn(): Turn | undefined {
  return isFree() && turns().waiting.length === 0 ? begin() : undefined;
}

/** A turn as soon as there is one, in the order of those who ask. */
export async function waitForTurn(): Promise<Turn> {
  return takeTurn() ?? new Promise((give) => turns().waiting.push(give));
}

function isFree(): boolean {
  return turns().counted < mostAtOnce && turns().all < mostInAll;
}

function begin(): Turn {
  const held = turns();
  held.counted += 1;
  held.all += 1;
  let [counts, isEnded, waited, came] = [true, false, 0, 0];
  const uncount = () => {
    if (counts) held.counted -= 1;
    counts = false;
    next();
  };
  return {
    waited: ({ milliseconds, bytes }) => {
      waited += milliseconds;
      came += bytes;
      // A slow sender must not keep the others from being read.
      if (counts && waited > mostWaited) uncount();
      const isTooSlow = waited > patience && came < (waited / 1_000) * leastBytesPerSecond;
      if (isTooSlow && held.waiting.length > 0 && held.all >= mostInAll) throw tooSlow();
    },
    end: () => {
      if (isEnded) return;
      isEnded = true;
      held.all -= 1;
      uncount();
    },
  };
}

function tooSlow(): FileRefusal {
  return new FileRefusal(`The file came too slowly while others waited to be read. ${sendAgain}`);
}

function next(): void {
  while (isFree()) {
    const give = turns().waiting.shift();
    if (!give) return;
    give(begin());
  }
}
