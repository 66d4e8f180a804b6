import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { haveUploadsBegun, setUploadsOwner, subscribeToSignal } from "./upload-signal.ts";

const UploadTray = lazy(() => import("./upload-tray.tsx"));

/** Where uploads under way are shown, whatever page of the portal one has gone on to. `owner`: the portal and who is in it. */
export function UploadSlot({ owner }: { owner: string }) {
  const begun = useSyncExternalStore(subscribeToSignal, haveUploadsBegun, () => false);
  useEffect(() => setUploadsOwner(owner), [owner]);
  if (!begun) return null;
  return (
    <Suspense fallback={null}>
      <UploadTray owner={owner} />
    </Suspense>
  );
}
