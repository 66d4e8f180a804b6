import type { ReactNode } from "react";
import { productName } from "#app/domain/product.ts";
import { Logo } from "./identity.tsx";

/** One message in the middle of an otherwise empty page. `live` announces it to a screen reader when it changes. */
export function Panel({
  icon,
  tone = "accent",
  title,
  live = false,
  children,
}: {
  icon?: ReactNode;
  tone?: "accent" | "good" | "bad";
  title: string;
  live?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="centered">
      <header>
        <a href="/" className="wordmark">
          <Logo />
          {productName}
        </a>
      </header>
      <main id="main" className="card panel panel-center" aria-live={live ? "polite" : undefined}>
        {icon ? <span className={`panel-icon${tone === "accent" ? "" : ` panel-icon-${tone}`}`}>{icon}</span> : null}
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
