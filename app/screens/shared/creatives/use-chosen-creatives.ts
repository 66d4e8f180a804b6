import { useCallback, useEffect, useRef, useState } from "react";

/**
 * What is ticked in a form's step of creatives, within `place`; `read` belongs on its changes. Read at the start too, and when
 * other creatives are `listed`: something may have been ticked before the script was there, or brought back by the browser.
 */
export function useChosenCreatives(saved: { adFormat: string; chosen: readonly string[] }, listed: readonly unknown[]) {
  const place = useRef<HTMLDivElement>(null);
  const [now, setNow] = useState(saved);
  const read = useCallback(() => {
    const ticked = (name: string) => {
      const inputs = place.current?.querySelectorAll<HTMLInputElement>(`input[name=${name}]:checked`) ?? [];
      return [...inputs].map(({ value }) => value);
    };
    setNow({ adFormat: ticked("ad_format")[0] ?? "", chosen: ticked("creative_ids") });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed is in the page, not in the function.
  useEffect(read, [read, listed]);
  return { ...now, place, read };
}
