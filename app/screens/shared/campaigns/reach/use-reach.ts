import { useEffect, useState } from "react";
import { audienceSetKey, isReachResult, type ReachResult } from "./reach-result.ts";

/** A selection usually takes several clicks. In milliseconds. */
const pause = 300;

/**
 * Returns the reach of the current selection, loaded from `href` if the page did not include it. Undefined while it is
 * being counted.
 */
export function useReach({
  href,
  chosen,
  known,
}: {
  href: string;
  chosen: readonly string[];
  known: ReachResult;
}): ReachResult | undefined {
  const [loaded, setLoaded] = useState<Readonly<Record<string, ReachResult>>>({});
  const key = audienceSetKey(chosen);
  const loadedReach =
    audienceSetKey(known.ids) === key && (known.reach || known.problem || key === "") ? known : undefined;
  const estimate = loadedReach ?? loaded[key];
  const wanted = estimate ? undefined : key;
  useEffect(() => {
    if (!wanted) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const next = await fetchReach(href, wanted, leaving.signal);
      if (next) setLoaded((before) => ({ ...before, [wanted]: next }));
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [href, wanted]);
  return estimate ?? (key === "" ? { ids: [] } : undefined);
}

async function fetchReach(href: string, key: string, signal: AbortSignal): Promise<ReachResult | undefined> {
  const ids = key.split(",");
  try {
    const query = new URLSearchParams(ids.map((id) => ["audience", id]));
    const body: unknown = await (await fetch(`${href}?${query}`, { signal })).json();
    if (isReachResult(body)) return body;
  } catch {
    if (signal.aborted) return undefined;
  }
  return { ids, problem: "The estimate is unavailable right now. Try again in a minute." };
}
