import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { productName } from "#app/domain/product.ts";
import { Button } from "#app/ui/button.tsx";
import { Logo } from "#app/ui/identity.tsx";

/** The product's mark and name, leading home. */
export function HomeLink() {
  return (
    <Link to="/" className="wordmark">
      <Logo />
      {productName}
    </Link>
  );
}

/** The head of a page outside the portals: who is signed in, and the way out. */
export function SiteHeader({ email, children }: { email?: string | undefined; children?: ReactNode }) {
  return (
    <header className="site-header shell">
      <HomeLink />
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
      <div className="shell">
        <p>{productName}, the ad network of niche online stores.</p>
        <nav aria-label="About">
          <Link to="/">Home</Link>
          <Link to="/terms">Terms of Service</Link>
          <Link to="/privacy">Privacy Policy</Link>
        </nav>
      </div>
    </footer>
  );
}

/** A page of text. `updated` is the day its wording last changed. */
export function TextPage({ title, updated, children }: { title: string; updated: string; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main className="shell">
        <article className="prose">
          <h1>{title}</h1>
          <p className="prose-note">Last changed {updated}</p>
          {children}
        </article>
      </main>
      <SiteFooter />
    </>
  );
}
