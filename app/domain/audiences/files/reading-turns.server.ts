import { availableParallelism } from "node:os";

/** Uploads whose files are read and merged at once: each fills a processor, and about 100 MB. */
const mostAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));
/** With those among them whose senders are slower than the reading. */
const mostInAll = mostAtOnce + 6;
/** A reader that waited so long for its sender, all in all, does nothing else. In milliseconds. */
const mostWaited = 5_000;

/** The right to read an upload's files. `end` may be called again. */
export type Turn = {
  /** Milliseconds that the reader waited for bytes from the sender. */
  waited: (milliseconds: number) => void;
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
  let [counts, isEnded, waited] = [true, false, 0];
  const uncount = () => {
    if (counts) held.counted -= 1;
    counts = false;
    next();
  };
  return {
    waited: (milliseconds) => {
      waited += milliseconds;
      // A slow sender must not keep the others from being read.
      if (counts && waited > mostWaited) uncount();
    },
    end: () => {
      if (isEnded) return;
      isEnded = true;
      held.all -= 1;
      uncount();
    },
  };
}

function next(): void {
  while (isFree()) {
    const give = turns().waiting.shift();
    if (!give) return;
    give(begin());
  }
}
