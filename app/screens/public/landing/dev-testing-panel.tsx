import { appName } from "#app/domain/branding.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";

/** In the flow of the page, so that it covers nothing. A closed panel leaves its title to open it again. */
export function DevTestingPanel() {
  return (
    <aside aria-label="Dev Testing Panel">
      <details className="dev-panel" open>
        <summary>
          Dev Testing Panel
          <Icon name="x" className="when-open" />
          <Icon name="chevron-down" className="when-closed" />
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
