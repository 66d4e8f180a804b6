import { useCallback, useEffect, useRef, useState } from "react";
import { audienceSetKey } from "./reach-result.ts";

/**
 * Tracks the selected audiences of a form inside `place`; call `sync` on change. Also reads on mount, because the
 * browser may have restored or accepted a selection before hydration.
 */
export function useSelectedAudiences(saved: readonly string[]) {
  const place = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(saved);
  const sync = useCallback(() => {
    const ticked = place.current?.querySelectorAll<HTMLInputElement>("input[name=selected_audiences]:checked") ?? [];
    const now = [...ticked].map((input) => input.value);
    setChosen((before) => (audienceSetKey(before) === audienceSetKey(now) ? before : now));
  }, []);
  useEffect(sync, [sync]);
  return { chosen, place, sync };
}
