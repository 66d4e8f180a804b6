import { useEffect, useState } from "react";
import { choiceKey, isReachAnswer, type ReachAnswer } from "./reach-answer.ts";

/** A choice is made with several clicks. In milliseconds. */
const pause = 300;

/** The reach of what is chosen now, asked for at `href` when the page did not bring it. Undefined while it is counted. */
export function useReach({
  href,
  chosen,
  known,
}: {
  href: string;
  chosen: readonly string[];
  known: ReachAnswer;
}): ReachAnswer | undefined {
  const [asked, setAsked] = useState<Readonly<Record<string, ReachAnswer>>>({});
  const key = choiceKey(chosen);
  const brought = choiceKey(known.ids) === key && (known.reach || known.problem || key === "") ? known : undefined;
  const answer = brought ?? asked[key];
  const wanted = answer ? undefined : key;
  useEffect(() => {
    if (!wanted) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const next = await askReach(href, wanted, leaving.signal);
      if (next) setAsked((before) => ({ ...before, [wanted]: next }));
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [href, wanted]);
  return answer ?? (key === "" ? { ids: [] } : undefined);
}

async function askReach(href: string, key: string, signal: AbortSignal): Promise<ReachAnswer | undefined> {
  const ids = key.split(",");
  try {
    const query = new URLSearchParams(ids.map((id) => ["audience", id]));
    const answer: unknown = await (await fetch(`${href}?${query}`, { signal })).json();
    if (isReachAnswer(answer)) return answer;
  } catch {
    if (signal.aborted) return undefined;
  }
  return { ids, problem: "The estimate is not available now" };
}
