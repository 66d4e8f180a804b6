import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { isUploadTrayActive, setUploadsOwner, subscribeToActivation } from "./upload-tray-activation.ts";

const UploadTray = lazy(() => import("./upload-tray.tsx"));

/** Shows running uploads on every page of the portal. `owner` identifies the portal and its viewer. */
export function LazyUploadTray({ owner }: { owner: string }) {
  const begun = useSyncExternalStore(subscribeToActivation, isUploadTrayActive, () => false);
  useEffect(() => setUploadsOwner(owner), [owner]);
  if (!begun) return null;
  return (
    <Suspense fallback={null}>
      <UploadTray owner={owner} />
    </Suspense>
  );
}
