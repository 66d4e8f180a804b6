import { toPath } from "./router-path.ts";

/** Sends a request again. `isOfScript` if it sends what it sent before, and not what the form holds by then. */
type Retry = { retry?: () => void; isOfScript?: boolean };

type Submission = { form: HTMLFormElement; submitter: HTMLElement | null; fields: FormData };
/** The form that was submitted last, its button, and what it sent. */
let submission: Submission | undefined;

/** The button with which conform checks a field: its submission sends nothing. */
const conformIntent = "__intent__";

/** Must see each submission before the form itself does. */
export function rememberSubmission({ target: form, submitter }: SubmitEvent): void {
  if (!(form instanceof HTMLFormElement) || submitter?.getAttribute("name") === conformIntent) return;
  const fields = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
  submission = { form, submitter, fields };
}

/** Returns what sends the form again that was sent to `url`, or what a script sent there. */
export function retryOfForm(url: URL): Retry {
  const last = submission;
  submission = undefined;
  const { href } = window.location;
  if (last && pathOf(new URL(last.form.getAttribute("action") ?? href, href)) === pathOf(url)) {
    return { retry: () => resubmit(last) };
  }
  const { location, formData, formEncType } = window.__remixRouter.state.navigation;
  if (!location || !formData) return {};
  return { retry: () => send(toPath(location), formData, formEncType), isOfScript: true };
}

/** Submits the form with the values that it has by then; a form whose menu has closed since is sent as it was. */
function resubmit(last: Submission): void {
  const { form, submitter, fields } = last;
  if (!form.isConnected) {
    submission = last;
    send(form.getAttribute("action") ?? toPath(window.location), fields, form.enctype);
    return;
  }
  if (submitter?.isConnected) submitter.focus({ preventScroll: true });
  form.requestSubmit(submitter?.isConnected ? submitter : null);
}

function send(to: string, formData: FormData, formEncType?: string): void {
  const isFiles = formEncType === "multipart/form-data";
  void window.__remixRouter.navigate(to, {
    formMethod: "post",
    formEncType: isFiles ? formEncType : "application/x-www-form-urlencoded",
    formData,
    replace: true,
    preventScrollReset: true,
  });
}

/** Returns what follows the link again that the router follows now; nothing if it only reloads data. */
export function retryOfLink(): Retry {
  const { state, location } = window.__remixRouter.state.navigation;
  if (state !== "loading") return {};
  return { retry: () => void window.__remixRouter.navigate(toPath(location)) };
}

/** The path of a URL of data or of a page. */
function pathOf({ pathname }: URL): string {
  return pathname.replace(/\.data$/, "").replace(/\/$/, "");
}
