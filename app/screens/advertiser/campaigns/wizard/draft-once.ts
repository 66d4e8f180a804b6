/** The idempotency key of a new campaign's form: however often it is saved or sent, it makes one draft. */
export function draftOnce(form: FormData) {
  const key = form.get("idempotency_key");
  return { key: typeof key === "string" ? key : undefined, values: "a draft" };
}
