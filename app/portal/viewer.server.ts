import type { AppLoadContext } from "@remix-run/node";
import { findViewer as findSessionViewer } from "#app/domain/accounts/find-viewer.server.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { readCookie } from "#app/web/cookies.server.ts";
import { report } from "#app/web/log.server.ts";
import type { RequestHead } from "#app/web/request-head.ts";
import { database } from "#db/client.server.ts";

/** Remix passes every loader its own Request but the same load context, so the context is the cache key. */
const found = new WeakMap<object, Promise<Viewer | undefined>>();

/** Returns the viewer of a request; looked up once, however many loaders call it. */
export function findViewer(request: RequestHead, context?: AppLoadContext): Promise<Viewer | undefined> {
  const key = context ?? request;
  const known = found.get(key);
  if (known) return known;
  const pending = lookUp(request, context);
  found.set(key, pending);
  return pending;
}

async function lookUp(request: RequestHead, context?: AppLoadContext): Promise<Viewer | undefined> {
  const token = await readCookie(request, "portal_session");
  if (!token) return undefined;
  const requestId = context?.requestId;
  const ctx = {
    db: database({ requestId }),
    clock: () => new Date(),
    entrypoint: "screen",
    requestId,
    report,
  } as const;
  return findSessionViewer(ctx, { token });
}
