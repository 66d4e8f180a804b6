import { availableParallelism } from "node:os";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import { sharedState } from "#app/shared-state.ts";

/** The number of uploads whose files are read and merged at once. Each keeps a CPU busy and uses about 100 MB. */
const maxConcurrentUploads = Math.min(4, Math.max(1, availableParallelism() - 1));
/** The number of open uploads, including those whose senders are slower than the reading. */
const maxOpenUploads = maxConcurrentUploads + 6;
/** An upload that has waited for its sender this long in total, in milliseconds, no longer counts as busy. */
const maxSenderWaitMs = 5_000;
/**
 * While others are queued, a sender may be slow for this many milliseconds; after that its average rate must reach the
 * minimum.
 */
const slowSenderGraceMs = 30_000;
const minBytesPerSecond = 128 * 1024;

/** The right to read an upload's files. `release` may be called repeatedly. */
export type UploadSlotLease = {
  /**
   * Reports that the reader waited this many milliseconds for this many bytes from the sender. Throws FileRejectedError
   * when slow senders hold all slots, others are queued, and this sender is too slow.
   */
  reportWait: (wait: { milliseconds: number; bytes: number }) => void;
  release: () => void;
};

type SlotState = { busy: number; open: number; queue: ((turn: UploadSlotLease) => void)[] };

const slotState = sharedState("upload-slots", (): SlotState => ({ busy: 0, open: 0, queue: [] }));

/** Acquires a slot if one is free and nobody is queued for it. */
export function tryAcquireUploadSlot(): UploadSlotLease | undefined {
  return isFree() && slotState().queue.length === 0 ? openSlot() : undefined;
}

/** Waits for a slot, in the order of the requests. */
export async function acquireUploadSlot(): Promise<UploadSlotLease> {
  return tryAcquireUploadSlot() ?? new Promise((resolve) => slotState().queue.push(resolve));
}

/** Returns how many uploads are read or merged in this process, and how many wait for a slot. */
export function countUploads(): { running: number; waiting: number } {
  const { open, queue } = slotState();
  return { running: open, waiting: queue.length };
}

function isFree(): boolean {
  return slotState().busy < maxConcurrentUploads && slotState().open < maxOpenUploads;
}

function openSlot(): UploadSlotLease {
  const state = slotState();
  state.busy += 1;
  state.open += 1;
  let [isBusy, isEnded, waited, received] = [true, false, 0, 0];
  const markIdle = () => {
    if (isBusy) state.busy -= 1;
    isBusy = false;
    grantQueued();
  };
  return {
    reportWait: ({ milliseconds, bytes }) => {
      waited += milliseconds;
      received += bytes;
      // A slow sender must not block the other uploads.
      if (isBusy && waited > maxSenderWaitMs) markIdle();
      const isTooSlow = waited > slowSenderGraceMs && received < (waited / 1_000) * minBytesPerSecond;
      if (isTooSlow && state.queue.length > 0 && state.open >= maxOpenUploads) throw tooSlow();
    },
    release: () => {
      if (isEnded) return;
      isEnded = true;
      state.open -= 1;
      markIdle();
    },
  };
}

function tooSlow(): FileRejectedError {
  return new FileRejectedError(`The upload was too slow and timed out. ${retryHint}`);
}

function grantQueued(): void {
  while (isFree()) {
    const grant = slotState().queue.shift();
    if (!grant) return;
    grant(openSlot());
  }
}
