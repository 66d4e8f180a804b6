import type { AppLoadContext } from "@remix-run/node";
import { findViewer as findSessionViewer } from "#app/domain/accounts/find-viewer.server.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { readCookie } from "#app/web/cookies.server.ts";
import { report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";

/** Remix hands every loader a Request of its own but the same load context, so the context is the better key. */
const found = new WeakMap<object, Promise<Viewer | undefined>>();

/** Who sends this request; looked up once, however many loaders ask. */
export function findViewer(request: Request, context?: AppLoadContext): Promise<Viewer | undefined> {
  const key = context ?? request;
  const known = found.get(key);
  if (known) return known;
  const looked = lookUp(request);
  found.set(key, looked);
  return looked;
}

async function lookUp(request: Request): Promise<Viewer | undefined> {
  const token = await readCookie(request, "portal_session");
  if (!token) return undefined;
  return findSessionViewer({ db: database(), clock: () => new Date(), door: "screen", report }, { token });
}
