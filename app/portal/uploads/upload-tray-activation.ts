/**
 * Tells the portal layout that an upload has started. The layout is on every page, so it contains only this flag; the
 * queue and the tray load with the first upload.
 */
const listeners = new Set<() => void>();
let isActive = false;
let owner = "";

export function activateUploadTray(): void {
  isActive = true;
  for (const listener of listeners) listener();
}

export function subscribeToActivation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isUploadTrayActive = (): boolean => isActive;

/** Sets whose portal is shown: uploads are hidden from whoever signs in next. */
export function setUploadsOwner(next: string): void {
  owner = next;
}

export const getUploadsOwner = (): string => owner;
