import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadParts } from "#app/ui/lazy/part-loads.ts";
import { retainScreenOnRequestFailure } from "#app/web/lost-requests/retain-screen.ts";
import { nameHistoryEntry } from "#app/web/name-history-entry.ts";
import { DocumentRequestContext } from "#app/web/request-id.ts";
import { parseTheme } from "#app/web/theme.ts";

retainScreenOnRequestFailure();
nameHistoryEntry(window.history);

// A page that shows parts of a screen is hydrated once their scripts are loaded; without them it works as without
// scripting. The modules of its routes, which add the parts, are evaluated after this one in the same task.
Promise.resolve()
  .then(() => loadParts(window.screenParts ?? []))
  .then(
    () => startTransition(hydrate),
    () => undefined,
  );

function hydrate() {
  const documentRequest = {
    id: document.documentElement.dataset.requestId,
    page: String(window.history.state.key),
    theme: parseTheme(document.documentElement.dataset.theme),
  };
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentRequestContext.Provider value={documentRequest}>
        <RemixBrowser />
      </DocumentRequestContext.Provider>
    </StrictMode>,
  );
}

declare global {
  interface Window {
    /** The names of the page's screen parts (`screenPart`). */
    screenParts?: readonly string[];
  }
}
