/** What a request may send and how long it may take, where that is more than usual. */
export type RequestLimits = {
  maxBodyBytes?: number;
  /** How long it may take, in milliseconds, or as long as data keeps arriving. */
  timeout?: number | "while_sending";
  /** It takes as long as a file does to come or go, so that the server admits it among files. */
  isTransfer?: true;
  /** Forms without a file have the usual limits. */
  onlyWithFiles?: true;
};

/** How long a change of thousands of people may take, in milliseconds. */
export const peopleTimeoutMs = 30_000;

/**
 * How long a request for a payout may take, in milliseconds: each of millions of revenue shares becomes a line of it.
 */
export const payoutTimeoutMs = 240_000;

/** The limits of a download of a whole table, which is read while it is sent, or before. */
export const tableLimits: RequestLimits = { timeout: 300_000, isTransfer: true };

/** What the parts of a form may take beside its files. */
const formOverheadBytes = 1024 * 1024;

/** The limits of files of at most so many bytes together, which may arrive slowly. */
export function fileLimits(totalBytes: number): RequestLimits {
  return { maxBodyBytes: totalBytes + formOverheadBytes, timeout: "while_sending", isTransfer: true };
}
