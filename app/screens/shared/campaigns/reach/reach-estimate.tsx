import { useEffect, useRef, useState } from "react";
import { formatPeopleRange } from "./format-people-range.ts";
import type { ReachResult } from "./reach-result.ts";

/** The estimated reach of a selection. While another selection is being counted, the last figure stays, dimmed. */
export function ReachEstimate({ estimate }: { estimate: ReachResult | undefined }) {
  const last = useRef(estimate);
  if (estimate) last.current = estimate;
  const { reach, problem, ids } = last.current ?? {};
  // Without scripting, reach is counted only when the form is submitted.
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return (
    <div className="reach" aria-live="polite" aria-busy={scripted && !estimate}>
      {reach ? (
        <>
          <p className="reach-figure">{formatPeopleRange(reach)}</p>
          <p className="hint">people, without duplicates</p>
        </>
      ) : (
        <p className="hint">
          {problem ??
            (ids?.length === 0
              ? "Choose audiences to see your estimated reach."
              : scripted
                ? "Counting people..."
                : "No estimate yet. Choose Update estimate.")}
        </p>
      )}
    </div>
  );
}
