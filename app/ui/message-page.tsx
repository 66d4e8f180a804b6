import type { ReactNode } from "react";
import { appName } from "#app/domain/branding.ts";
import { Logo } from "./logo.tsx";

/** A page with a single message. `live` announces changes of the message to screen readers. */
export function MessagePage({
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
          {appName}
        </a>
      </header>
      <main id="main" className="card message-page message-page-center" aria-live={live ? "polite" : undefined}>
        {icon ? (
          <span className={`message-page-icon${tone === "accent" ? "" : ` message-page-icon-${tone}`}`}>{icon}</span>
        ) : null}
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
