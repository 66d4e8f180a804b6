import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Asks for the page's data again every two seconds while work goes on. (Without scripting a page refreshes itself by a `<meta>`.) */
export function useRefresh(active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(revalidate, 2_000);
    return () => clearInterval(timer);
  }, [active, revalidate]);
}
