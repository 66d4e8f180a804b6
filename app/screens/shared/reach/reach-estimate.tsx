import { useEffect, useRef, useState } from "react";
import { formatPeopleRange } from "./format-people-range.ts";
import type { ReachAnswer } from "./reach-answer.ts";

/** Between how many people a choice reaches. While another choice is counted the last figure stays, dimmed. */
export function ReachEstimate({ answer }: { answer: ReachAnswer | undefined }) {
  const last = useRef(answer);
  if (answer) last.current = answer;
  const { reach, problem, ids } = last.current ?? {};
  // Without a script nothing is counted until the form asks.
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return (
    <div className="reach" aria-live="polite" aria-busy={scripted && !answer}>
      {reach ? (
        <>
          <p className="reach-figure">{formatPeopleRange(reach)}</p>
          <p className="hint">people, each counted once</p>
        </>
      ) : (
        <p className="hint">
          {problem ??
            (ids?.length === 0
              ? "Choose audiences to see how many people they reach."
              : scripted
                ? "Counting people…"
                : "Not counted yet.")}
        </p>
      )}
    </div>
  );
}
