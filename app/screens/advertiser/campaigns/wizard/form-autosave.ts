import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import { type AutosaveResult, editFields, isAutosaveResult } from "./autosave-protocol.ts";

/** `message` says why a save failed. */
export type SaveStatus = { state: "unchanged" | "saving" | "saved" | "partial" } | { state: "failed"; message: string };

type Options = {
  form: () => HTMLFormElement | null;
  href: () => string;
  onStatus: (status: SaveStatus) => void;
  onResult: (result: AutosaveResult) => void;
};

/** A pause in typing, in milliseconds, after which the form is saved. */
const typingPauseMs = 800;
const maxRetryMs = 30_000;
/** The server answers within seconds. A connection that hangs for longer, in milliseconds, counts as lost. */
const timeoutMs = 10_000;

const fieldNames = new Set(campaignFieldRows.filter(({ step }) => step !== null).map(({ name }): string => name));

/**
 * Saves a step's form while its fields are typed in: one request at a time, again until the server has answered, each
 * with the number of changes so far, by which the server drops a save that a later one has overtaken.
 */
export class FormAutosave {
  readonly #session = crypto.randomUUID();
  #revision = 0;
  #savedRevision = 0;
  #hasSaved = false;
  #running: Promise<boolean> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = 1_000;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get isDirty(): boolean {
    return this.#revision > this.#savedRevision;
  }

  noteChange(field: string): void {
    if (!fieldNames.has(field)) return;
    this.#revision += 1;
    this.#mark();
    this.#schedule(typingPauseMs);
  }

  /** Saves now what is not saved. Resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#running) await this.#running;
    if (!this.isDirty) return true;
    this.#running ??= this.#save().finally(() => {
      this.#running = undefined;
    });
    return (await this.#running) && !this.isDirty;
  }

  /** Sends the last state without waiting for an answer, because its page is left. */
  finish(): void {
    clearTimeout(this.#timer);
    if (!this.isDirty && !this.#hasSaved) return;
    const body = this.#body();
    if (!body) return;
    body.set(editFields.finished, "true");
    this.#hasSaved = false;
    fetch(this.#options.href(), { method: "POST", body, keepalive: true }).catch(() => undefined);
  }

  /** The form is submitted by a button, which saves it. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#hasSaved = false;
    this.#mark();
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), milliseconds);
  }

  #mark(): void {
    const form = this.#options.form();
    setField(form, editFields.session, this.#session);
    setField(form, editFields.revision, String(this.#revision));
  }

  #body(): URLSearchParams | undefined {
    const form = this.#options.form();
    if (!form) return undefined;
    this.#mark();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
    return body;
  }

  async #save(): Promise<boolean> {
    const body = this.#body();
    if (!body) return false;
    const revision = this.#revision;
    this.#options.onStatus({ state: "saving" });
    const signal = AbortSignal.timeout(timeoutMs);
    const sending = fetch(this.#options.href(), { method: "POST", body, redirect: "manual", signal });
    const response = await sending.catch(() => null);
    const json: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && isAutosaveResult(json)) {
      this.#savedRevision = revision;
      this.#hasSaved = true;
      this.#retryMs = 1_000;
      this.#options.onResult(json);
      this.#options.onStatus({ state: json.isPartial ? "partial" : "saved" });
      if (this.isDirty) this.#schedule(typingPauseMs);
      return true;
    }
    if (!response || isBusy(response)) {
      this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
      this.#schedule(this.#retryMs);
    }
    this.#options.onStatus({ state: "failed", message: messageOf(response, json) });
    return false;
  }
}

function setField(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

function isBusy({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

function messageOf(response: Response | null, body: unknown): string {
  if (!response) return "no connection";
  if (isBusy(response)) return "the server is busy";
  if (response.type === "opaqueredirect") return "sign in again in another tab";
  if (response.status === 404) return "this campaign no longer exists";
  if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
  return "reload the page";
}

/**
 * Returns the name of a field that was changed before the page could notice, as a browser does when it restores a form.
 */
export function findRestoredField(form: HTMLFormElement): string | undefined {
  for (const field of form.elements) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (isField && fieldNames.has(field.name) && isChanged(field)) return field.name;
  }
  return undefined;
}

function isChanged(field: HTMLInputElement | HTMLSelectElement): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  const isToggle = field.type === "checkbox" || field.type === "radio";
  return isToggle ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}
