import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Tracks the selected creatives inside `place`; call `sync` on change. Also reads on mount and when `listed` changes,
 * because the browser may have restored or accepted a selection before hydration.
 */
export function useSelectedCreatives(
  saved: { adFormat: string; chosen: readonly string[] },
  listed: readonly unknown[],
) {
  const place = useRef<HTMLDivElement>(null);
  const [now, setNow] = useState(saved);
  const sync = useCallback(() => {
    const ticked = (name: string) => {
      const inputs = place.current?.querySelectorAll<HTMLInputElement>(`input[name=${name}]:checked`) ?? [];
      return [...inputs].map(({ value }) => value);
    };
    setNow({ adFormat: ticked("ad_format")[0] ?? "", chosen: ticked("creative_ids") });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed is in the page, not in the function.
  useEffect(sync, [sync, listed]);
  return { ...now, place, sync };
}
