import { Link } from "@remix-run/react";
import { ChevronDown, X } from "lucide-react";
import { appName } from "#app/domain/branding.ts";

/** In the flow of the page, so that it covers nothing. A closed panel leaves its title to open it again. */
export function DevTestingPanel() {
  return (
    <aside aria-label="Dev Testing Panel">
      <details className="dev-panel" open>
        <summary>
          Dev Testing Panel
          <X aria-hidden />
          <ChevronDown aria-hidden />
        </summary>
        <div>
          <p>Open an {appName} portal with demo data. No sign-in needed.</p>
          <div className="actions">
            <Link to="/advertiser/test-mode" className="button">
              Advertiser
            </Link>
            <Link to="/publisher/test-mode" className="button">
              Publisher
            </Link>
          </div>
        </div>
      </details>
    </aside>
  );
}
