/**
 * Tells the portal's frame that a script sends files. The frame is on every page, so it holds no more than this of it: what
 * sends and what shows them is loaded when the first upload begins.
 */
const listeners = new Set<() => void>();
let begun = false;
let owner = "";

export function signalUploads(): void {
  begun = true;
  for (const listener of listeners) listener();
}

export function subscribeToSignal(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const haveUploadsBegun = (): boolean => begun;

/** Whose portal is shown: uploads begun there are shown to nobody who signs in after. */
export function setUploadsOwner(next: string): void {
  owner = next;
}

export const uploadsOwner = (): string => owner;
