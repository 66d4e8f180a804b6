import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { DocumentRequest } from "#app/web/document-request.ts";
import { keepScreenWhenRequestsFail } from "#app/web/lost-requests.ts";

keepScreenWhenRequestsFail();

startTransition(() => {
  const documentRequest = {
    id: document.documentElement.dataset.requestId,
    page: String(window.history.state?.key ?? "default"),
  };
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentRequest.Provider value={documentRequest}>
        <RemixBrowser />
      </DocumentRequest.Provider>
    </StrictMode>,
  );
});
