import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads the page's data while work is running: every two seconds, or every three without scripting. */
export function PollWhile({ running }: { running: boolean }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(revalidate, 2_000);
    return () => clearInterval(timer);
  }, [running, revalidate]);
  if (!running) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content="3" />
    </noscript>
  );
}
