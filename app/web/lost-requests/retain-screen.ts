import { UNSAFE_SingleFetchRedirectSymbol } from "@remix-run/server-runtime";
import { decode } from "turbo-stream";
import { errorScreenHeader } from "#app/web/error-screen-header.ts";
import { fetchScripts } from "./fetch-scripts.ts";
import {
  describeLostForm,
  describeLostPage,
  dismissLostRequest,
  doneButOld,
  dropOutdatedRetry,
  showLostRequest,
} from "./lost-request.ts";
import { rememberSubmission, retryOfForm, retryOfLink } from "./retries.ts";
import { toPath } from "./router-path.ts";

/**
 * After a failed form or link, the screen stays unchanged until the router is idle: new data would bring a new
 * idempotency key for the form, and another request would hide or repeat the message.
 */
let isHeld = false;

/**
 * Keeps the screen, with everything that was typed, if a request of the router fails; Remix would replace the screen
 * with an error. The router is made to stay where it is, with its current data, and `lostRequest` describes the
 * failure. Responses of the application itself pass through, including loader errors. Must be called before hydration.
 */
export function retainScreenOnRequestFailure(): void {
  window.routeModuleFailed = stayOrLoadDocument;
  window.fetchScripts = fetchScripts;
  document.addEventListener("submit", rememberSubmission, true);
  document.addEventListener("input", dropOutdatedRetry, true);
  window.addEventListener("pageshow", reloadIfLeft);
  const originalFetch = window.fetch;
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    if (url.origin !== window.location.origin || !url.pathname.endsWith(".data")) return originalFetch(input, init);
    const isForm = (init?.method ?? "GET") !== "GET";
    if (isHeld && !isForm && isHere(url)) return sameData();
    if (isForm) dismissLostRequest();
    let response: Response | undefined;
    try {
      response = await originalFetch(input, init);
      const seconds = isForm ? 0 : shortWait(response);
      if (seconds > 0) {
        // Spread over a second, because the server rejected others at the same time.
        await new Promise((resolve) => setTimeout(resolve, (seconds + Math.random()) * 1_000));
        response = await originalFetch(input, init);
      }
      if (await isServerResponse(response, isForm)) {
        // The reload after a form belongs to the form; any other success clears the message.
        if (!isFollowUp()) dismissLostRequest();
        return response;
      }
    } catch (error) {
      if (init?.signal?.aborted) throw error;
    }
    report(response, { isForm, url });
    if (!isForm && isHere(url)) return sameData();
    hold();
    return redirectHere({ isForm });
  };
}

/**
 * Reloads a page that the browser restores from its back/forward cache while the router is still leaving for another
 * site.
 */
function reloadIfLeft({ persisted }: PageTransitionEvent): void {
  if (persisted && window.__remixRouter.state.navigation.state !== "idle") window.location.reload();
}

function report(response: Response | undefined, { isForm, url }: { isForm: boolean; url: URL }): void {
  if (isForm) showLostRequest({ ...describeLostForm(response), ...retryOfForm(url) });
  else showLostRequest(isFollowUp() ? doneButOld : { ...describeLostPage(response), ...retryOfLink() });
}

declare global {
  interface Window {
    /** What Remix does, in place of reloading the document, when a screen's code can't be loaded (vite.config.ts). */
    routeModuleFailed: (module: string) => Promise<object>;
    /** Fetches the files that an `import()` of the build is about to need (server/bundle). */
    fetchScripts: (files: readonly string[]) => Promise<void>;
  }
}

/**
 * Leaves the screen as it is when the code of another one can't be loaded. A link that was only pointed at loads it
 * again when it is followed. A page that was asked for is not shown while the server can't be reached; when it
 * responds, the code belongs to an older build, and the page is loaded as a document.
 */
async function stayOrLoadDocument(module: string): Promise<object> {
  const { navigation } = window.__remixRouter.state;
  if (navigation.state === "idle") return {};
  const response = await fetch(module, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  const { navigation: now, location } = window.__remixRouter.state;
  // Another link was followed meanwhile.
  if (now.location !== navigation.location) return {};
  const isForm = navigation.state === "submitting";
  if (response && response.status < 500 && response.status !== 429 && !isForm) {
    window.location.assign(toPath(navigation.location));
  } else {
    report(response, { isForm, url: new URL(navigation.formAction ?? "", window.location.href) });
    hold();
    void window.__remixRouter.navigate(toPath(location), { replace: true, preventScrollReset: true });
  }
  return new Promise(() => {});
}

/** Returns after how many seconds a busy server can be asked again; 0 if that is too long to wait without a message. */
function shortWait({ status, headers }: Response): number {
  const seconds = status === 503 ? Number(headers.get("Retry-After")) : 0;
  return seconds <= maxWaitSeconds ? seconds : 0;
}

const maxWaitSeconds = 5;

/** Whether the application itself responded with something to show in the screen's place. */
async function isServerResponse(response: Response, isForm: boolean): Promise<boolean> {
  if (response.status === 204) return true;
  if (!response.headers.get("Content-Type")?.startsWith("text/x-script")) return false;
  if (isForm && response.headers.has(errorScreenHeader)) return false;
  if (response.status < 500 && !(isForm && response.status === 413)) return true;
  return isForm ? isFormResponse(response.clone()) : response.status !== 503;
}

/**
 * Whether the response is a form with its own message, such as that of a provider that does not respond, and no error
 * screen.
 */
async function isFormResponse({ body }: Response): Promise<boolean> {
  if (!body) return false;
  const ignored = () => ({ value: undefined });
  const { value } = await decode(body, { plugins: [ignored] });
  return typeof value === "object" && value !== null && "data" in value;
}

/** Whether the router is loading the page that a form leads to. */
function isFollowUp(): boolean {
  const { state, formMethod } = window.__remixRouter.state.navigation;
  return state === "loading" && formMethod !== undefined && formMethod.toUpperCase() !== "GET" && !isHeld;
}

function isHere(url: URL): boolean {
  const { pathname, search } = window.__remixRouter.state.location;
  const searchParams = new URLSearchParams(url.search);
  searchParams.delete("_routes");
  return (
    url.pathname === `${pathname.replace(/\/$/, "")}.data` &&
    String(searchParams) === String(new URLSearchParams(search))
  );
}

/** The longest time until the redirect starts, in milliseconds; a form that was removed meanwhile never follows it. */
const redirectStartMs = 2_000;

function hold(): void {
  if (isHeld) return;
  isHeld = true;
  const [left, top] = [window.scrollX, window.scrollY];
  // The form of a fetcher changes the router's state while no navigation has started yet.
  let hasStarted = window.__remixRouter.state.navigation.state !== "idle";
  const release = window.__remixRouter.subscribe(({ navigation }) => {
    if (navigation.state !== "idle") hasStarted = true;
    else if (hasStarted) end();
  });
  const timer = setTimeout(() => {
    if (!hasStarted) end();
  }, redirectStartMs);
  function end() {
    isHeld = false;
    clearTimeout(timer);
    release();
    // The router treats the same URL as a new page and scrolls to its top.
    requestAnimationFrame(() => window.scrollTo(left, top));
  }
}

/** A redirect to the current URL; a loader's redirect stands under a symbol. */
function redirectHere({ isForm }: { isForm: boolean }): Response {
  const redirect = {
    redirect: toPath(window.__remixRouter.state.location),
    status: 302,
    revalidate: false,
    reload: false,
    replace: true,
  };
  return withData(isForm ? redirect : { [UNSAFE_SingleFetchRedirectSymbol]: redirect });
}

/**
 * A response with the screen's current data. Where an error screen is in its place, that of the routes without data is
 * the error.
 */
function sameData(): Response {
  const { loaderData, matches, errors } = window.__remixRouter.state;
  const [error] = Object.values(errors ?? {});
  const results = matches.map(({ route: { id } }) => {
    const isMissing = error !== undefined && loaderData[id] === undefined;
    return [id, isMissing ? { error } : { data: loaderData[id] }];
  });
  return withData(Object.fromEntries(results));
}

/** A response whose `decoded` data Remix takes as it is in the build (server/bundle/remix-edits.ts). */
function withData(decoded: object): Response {
  return Object.assign(new Response(null, { status: 202 }), { decoded });
}
