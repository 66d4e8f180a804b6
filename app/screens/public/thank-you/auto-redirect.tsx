import { useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Button } from "#app/ui/button.tsx";

const seconds = 10;

/**
 * Redirects to `to` after ten seconds. With scripting it is a timer that can be stopped (WCAG 2.2.1); without, a
 * refresh of the page.
 */
export function AutoRedirect({ to }: { to: string }) {
  const navigate = useNavigate();
  const [stopped, setStopped] = useState(false);
  useEffect(() => {
    if (stopped) return;
    const timer = setTimeout(() => navigate(to, { replace: true }), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [stopped, navigate, to]);
  return (
    <div className="countdown">
      <noscript>
        <meta httpEquiv="refresh" content={`${seconds};url=${to}`} />
      </noscript>
      <p role="status">
        {stopped
          ? "Redirect canceled. You'll stay on this page."
          : `You'll be automatically redirected in ${seconds} seconds`}
      </p>
      {stopped ? null : (
        <div className="js-only">
          <span className="countdown-bar" aria-hidden="true" />
          <Button type="button" variant="ghost" onClick={() => setStopped(true)}>
            Stay on this page
          </Button>
        </div>
      )}
    </div>
  );
}
