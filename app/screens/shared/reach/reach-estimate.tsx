import { useEffect, useRef, useState } from "react";
import { formatCount } from "#app/ui/format.ts";
import type { ReachAnswer } from "./reach-answer.ts";

/** How many people a choice reaches, in steps. While another choice is counted the last figure stays, dimmed. */
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
          <p className="reach-figure">{wordsOf(reach)}</p>
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

function wordsOf({ from, to }: { from: number; to: number }): string {
  return from === 0 ? `Under ${formatCount(to)}` : `${formatCount(from)} – ${formatCount(to)}`;
}
