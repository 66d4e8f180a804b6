import type { ReactNode } from "react";
import { appName } from "#app/domain/branding.ts";
import { Button } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Logo } from "#app/ui/logo.tsx";

/** The product's logo and name, linked to the home page. */
export function SiteHomeLink() {
  return (
    <Link to="/" className="wordmark">
      <Logo />
      {appName}
    </Link>
  );
}

/** The header of pages outside the portals: who is signed in, and the sign-out button. */
export function SiteHeader({ email, children }: { email?: string | undefined; children?: ReactNode }) {
  return (
    <header className="site-header site-container">
      <SiteHomeLink />
      {children}
      {email ? (
        <div className="site-viewer">
          <span>{email}</span>
          <Form method="post" action="/logout">
            <Button>Logout</Button>
          </Form>
        </div>
      ) : null}
    </header>
  );
}

export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="site-container">
        <p>{appName}, the ad network for niche online stores.</p>
        <nav aria-label="About">
          <Link to="/">Home</Link>
          <Link to="/terms">Terms of Service</Link>
          <Link to="/privacy">Privacy Policy</Link>
        </nav>
      </div>
    </footer>
  );
}

/** A page of text. `updated` is the day the text last changed. */
export function LegalPage({ title, updated, children }: { title: string; updated: string; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main className="site-container">
        <article className="prose">
          <h1>{title}</h1>
          <p className="prose-note">Last updated {updated}</p>
          {children}
        </article>
      </main>
      <SiteFooter />
    </>
  );
}
