import { encode } from "turbo-stream";

/** A request of the browser's half of Remix that came to nothing. */
export type LostRequest = { title: string; text: string };

let shown: LostRequest | undefined;
/** After a form came to nothing, its screen stays as it is until the router rests: new data would bring a new key for it. */
let isHeld = false;
const listeners = new Set<() => void>();

/** The last request that came to nothing, until something else is asked for or it is dismissed. */
export function lostRequest(): LostRequest | undefined {
  return shown;
}

export function onLostRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissLostRequest(): void {
  show(undefined);
}

function show(lost: LostRequest | undefined): void {
  shown = lost;
  for (const listener of listeners) listener();
}

/**
 * Keeps the screen, with all that was typed, when a request of the router fails: Remix would show an error in the screen's
 * place. The router is told to stay where it is, with the data it has, and `lostRequest` says what happened. An answer of
 * the application itself is passed on, errors of loaders included. Call it before hydration.
 */
export function keepScreenWhenRequestsFail(): void {
  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    if (url.origin !== window.location.origin || !url.pathname.endsWith(".data")) return ask(input, init);
    const isForm = (init?.method ?? "GET") !== "GET";
    if (isHeld && !isForm && isHere(url)) return sameData();
    if (isForm) dismissLostRequest();
    let answer: Response | undefined;
    try {
      answer = await ask(input, init);
      if (await isAnswer(answer, isForm)) {
        // What follows a form is part of it; anything else that succeeds says that all is well again.
        if (!isFollowUp()) dismissLostRequest();
        return answer;
      }
    } catch (error) {
      if (init?.signal?.aborted) throw error;
    }
    show(isFollowUp() && !isForm ? doneButOld : isForm ? lostForm(answer) : lostPage(answer));
    if (!isForm) return isHere(url) ? sameData() : stay({ isForm });
    hold();
    return stay({ isForm });
  };
}

/** Whether the application itself answered, with what is to be shown in the screen's place. */
async function isAnswer(answer: Response, isForm: boolean): Promise<boolean> {
  if (answer.status === 204) return true;
  if (!answer.headers.get("Content-Type")?.startsWith("text/x-script")) return false;
  // A form that was asked for too often is given back as it was, or its whole screen is refused.
  if (isForm && answer.status === 429) return !(await answer.clone().text()).includes('"ErrorResponse"');
  return answer.status < 500 || (answer.status !== 503 && !isForm);
}

/** Whether the router is loading what a form has led to. */
function isFollowUp(): boolean {
  const { state, formMethod } = window.__remixRouter.state.navigation;
  return state === "loading" && formMethod !== undefined && formMethod.toUpperCase() !== "GET" && !isHeld;
}

function isHere(url: URL): boolean {
  const { pathname, search } = window.__remixRouter.state.location;
  const asked = new URLSearchParams(url.search);
  asked.delete("_routes");
  return (
    url.pathname === `${pathname.replace(/\/$/, "")}.data` && String(asked) === String(new URLSearchParams(search))
  );
}

function hold(): void {
  if (isHeld) return;
  isHeld = true;
  const [left, top] = [window.scrollX, window.scrollY];
  const end = window.__remixRouter.subscribe(({ navigation }) => {
    if (navigation.state !== "idle") return;
    isHeld = false;
    end();
    // The router takes the same address for a new page, and goes to its top.
    requestAnimationFrame(() => window.scrollTo(left, top));
  });
}

/** An answer that leads to where one is. */
function stay({ isForm }: { isForm: boolean }): Response {
  const { pathname, search, hash } = window.location;
  return encoded(redirectTo(`${pathname}${search}${hash}`, isForm));
}

/** The shape of a redirect in Remix's single fetch; that of a loader is marked by a type of its own. */
function redirectTo(path: string, isForm: boolean): unknown {
  const redirect = { redirect: path, status: 302, revalidate: false, reload: false, replace: true };
  return isForm ? redirect : new LoaderRedirect(redirect);
}

class LoaderRedirect {
  constructor(readonly redirect: object) {}
}

/** An answer with the data that the screen shows. */
function sameData(): Response {
  const { loaderData } = window.__remixRouter.state;
  return encoded(Object.fromEntries(Object.entries(loaderData).map(([id, data]) => [id, { data }])));
}

function encoded(value: unknown): Response {
  const body = encode(value, {
    plugins: [(one) => (one instanceof LoaderRedirect ? ["SingleFetchRedirect", one.redirect] : undefined)],
  });
  return new Response(body, {
    status: 202,
    headers: { "Content-Type": "text/x-script" },
  });
}

const kept = "What you entered is still here, and sending it again is safe.";
const doneButOld = {
  title: "Done, and not shown yet",
  text: "What you sent was taken. The page could not be loaded anew: reload it when you are back online.",
};

function lostForm(answer: Response | undefined): LostRequest {
  if (!answer) return { title: navigator.onLine ? "No answer from the server" : "Not sent: no connection", text: kept };
  if (answer.status === 503 || answer.status === 429) return { title: "Not taken", text: `${busy(answer)} ${kept}` };
  const id = answer.headers.get("X-Request-Id");
  const request = id ? ` If you write to us about it, name request ${id}.` : "";
  return { title: "Something went wrong on our side", text: `It is written down. ${kept}${request}` };
}

function lostPage(answer: Response | undefined): LostRequest {
  const title = "Not loaded";
  if (answer && (answer.status === 503 || answer.status === 429)) return { title, text: busy(answer) };
  return { title, text: "There is no connection to the server. Try again when you are back online." };
}

function busy({ headers }: Response): string {
  const seconds = Number(headers.get("Retry-After"));
  const when = seconds > 1 ? `in ${seconds} seconds` : "in a moment";
  return `Too much is asked of the server at the moment. Try again ${when}.`;
}
