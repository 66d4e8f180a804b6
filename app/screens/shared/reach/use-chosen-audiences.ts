import { useCallback, useEffect, useRef, useState } from "react";
import { choiceKey } from "./reach-answer.ts";

/**
 * The audiences that are ticked in a form, within `place`; `read` belongs on its changes. Read at the start too: something may have
 * been ticked before the script was there, or brought back by the browser.
 */
export function useChosenAudiences(saved: readonly string[]) {
  const place = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(saved);
  const read = useCallback(() => {
    const ticked = place.current?.querySelectorAll<HTMLInputElement>("input[name=selected_audiences]:checked") ?? [];
    const now = [...ticked].map((input) => input.value);
    setChosen((before) => (choiceKey(before) === choiceKey(now) ? before : now));
  }, []);
  useEffect(read, [read]);
  return { chosen, place, read };
}
