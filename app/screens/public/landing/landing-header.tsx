import type { UserType } from "#app/domain/accounts/account.ts";
import { SiteHeader } from "#app/screens/public/site-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { closeOnEscape } from "#app/ui/menu.tsx";
import { landingLinks } from "./landing-links.ts";

/** The header: the page's sections; signing in and getting started, or who is signed in. */
export function LandingHeader({ email, userType }: { email?: string | undefined; userType?: UserType | undefined }) {
  return (
    <SiteHeader email={email}>
      {/* Router links: the router treats a native hash jump as back navigation and restores the old scroll position. */}
      <nav aria-label="On this page">
        {sections.map(([id, label]) => (
          <Link key={id} to={`#${id}`}>
            {label}
          </Link>
        ))}
      </nav>
      {email ? null : <Entry />}
      {userType === "advertiser" || userType === "publisher" ? (
        <div className="site-entry">
          <LinkButton to={`/${userType}/dashboard`} variant="primary">
            Dashboard
          </LinkButton>
        </div>
      ) : null}
    </SiteHeader>
  );
}

const sections = [
  ["advertisers", "Advertisers"],
  ["publishers", "Publishers"],
  ["money", "Money"],
  ["privacy", "Privacy"],
  ["plans", "Plans"],
  ["questions", "Questions"],
] as const;

function Entry() {
  const { signIn } = landingLinks(undefined);
  return (
    <div className="site-entry">
      <details className="menu" onKeyDown={closeOnEscape}>
        <summary className="button button-ghost">
          Sign in
          <Icon name="chevron-down" />
        </summary>
        <div>
          <Link to={signIn("advertiser")}>As an advertiser</Link>
          <Link to={signIn("publisher")}>As a publisher</Link>
        </div>
      </details>
      <LinkButton to="#get-started" variant="primary">
        Get started
      </LinkButton>
    </div>
  );
}
