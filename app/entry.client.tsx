import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { retainScreenOnRequestFailure } from "#app/web/lost-requests/lost-requests.ts";
import { DocumentRequestContext } from "#app/web/request-id.ts";
import { parseTheme } from "#app/web/theme.ts";

retainScreenOnRequestFailure();

startTransition(() => {
  const documentRequest = {
    id: document.documentElement.dataset.requestId,
    page: String(window.history.state?.key ?? "default"),
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
});
