import { parseWithZod, type Submission, type SubmissionResult } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { input, output, ZodType } from "zod";
import { DomainError } from "#app/domain/errors.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { maxBodyBytes, readBody } from "#app/web/body.server.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { TruncatedFormError } from "#app/web/forms/truncated-form-error.ts";
import { logUnavailable } from "#app/web/log.server.ts";
import { openMultipart } from "#app/web/multipart.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";
import { FieldGate, FormRejection, fieldLimits, isUtf8, throwIfFormRejected, tooManyFields } from "./field-gate.ts";

/** The response of an action that rejects a form: values and errors, for `useForm({ lastResult })`. */
export type FormResponse = ReturnType<typeof data<SubmissionResult<string[]>>>;

/**
 * Parses a form with `schema` and passes the result to `submit`, which calls the domain function and returns a
 * redirect. Schema errors and domain errors return the typed values and the errors with 422 or the error's status;
 * errors without a field are under `""`. Fields named in `secret` are not returned. If a field name is rejected, the
 * other fields are returned with 400. `checkOwner` runs before the fields are parsed, and may throw 404; a form of
 * another person's page is returned before that.
 */
export async function handleForm<S extends ZodType, T>(
  request: Request,
  schema: S,
  submit: (value: output<S>, submission: Submission<input<S>, string[], output<S>>) => Promise<T>,
  { secret = [], checkOwner }: { secret?: string[]; checkOwner?: () => Promise<unknown> } = {},
): Promise<T | FormResponse> {
  // The server puts the request's id there (server/http/request-identity.ts).
  const sent = { requestId: request.headers.get("X-Request-Id") ?? undefined };
  const submitRead = async () => {
    const fields = await readFormData(request);
    await checkOwner?.();
    return handleFields(sent, fields, schema, submit, { secret });
  };
  return replyWithRejectedValues(schema, submitRead, { secret });
}

/**
 * Runs an action that reads its form itself; a form that is rejected before the action reads it is returned as typed.
 */
export async function replyWithRejectedValues<T>(
  schema: ZodType,
  work: () => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormResponse> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof FormRejection)) throw thrown;
    const resubmission = parseForm(thrown.fields, schema);
    const { status, message, field } = thrown;
    const errors = field === "" ? { fieldErrors: {}, formErrors: [message] } : { fieldErrors: { [field]: [message] } };
    return data(resubmission.reply({ hideFields: secret, ...errors }), { status });
  }
}

/**
 * Does the same with fields that were already read: those of a form with files. The request's id is logged with a
 * failure.
 */
export async function handleFields<S extends ZodType, T>(
  { requestId }: { requestId?: string | undefined },
  fields: FormData,
  schema: S,
  submit: (value: output<S>, submission: Submission<input<S>, string[], output<S>>) => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormResponse> {
  const submission = parseForm(fields, schema);
  if (submission.status !== "success")
    return data(withHiddenErrors(submission.reply({ hideFields: secret })), { status: 422 });
  try {
    return await submit(submission.value, submission);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "not_found") throw notFoundResponse();
    if (error.code === "unavailable") logUnavailable("form failed", { requestId, error });
    const message = error.code === "idempotency_conflict" ? sentBefore : error.message;
    const formErrors = error.fields ? [] : [message];
    return data(submission.reply({ hideFields: secret, fieldErrors: error.fields ?? {}, formErrors }), {
      status: statusByErrorCode[error.code],
    });
  }
}

/**
 * Moves an error of `intent`, which is a button's or a hidden field, and of `idempotency_key` to the form: the page is
 * of another version, or was changed in the browser.
 */
function withHiddenErrors(reply: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const { intent, idempotency_key: key, ...errors } = reply.error ?? {};
  const own = intent ? [unknownIntent] : key;
  return own ? { ...reply, error: { ...errors, "": own } } : reply;
}

const unknownIntent =
  "This page sent an action that doesn't exist, so nothing was changed. Reload the page and try again.";

/**
 * A person sees no idempotency key. The first response was lost, or the form was sent from a page out of the browser's
 * history.
 */
export const sentBefore =
  "This form was already sent with other values. Check what was done, then reload this page to send it again.";

/** Returns the typed values without errors, for a button that only requests a preview. */
export function replyWithValues(fields: FormData, schema: ZodType): SubmissionResult<string[]> {
  return { initialValue: parseForm(fields, schema).reply().initialValue };
}

/**
 * Parses a form's fields with its schema. Only plain names are accepted: conform would build lists and objects from
 * others, and no form has any.
 */
export function parseForm<S extends ZodType>(fields: FormData, schema: S): Submission<input<S>, string[], output<S>> {
  const plain = new FormData();
  for (const [name, value] of fields) {
    if (/^(?!__)\w+$/.test(name) && typeof value === "string") plain.append(name, value);
  }
  return parseWithZod(plain, { schema });
}

/**
 * Returns the fields of a posted form without files, at most 64 KB unless `maxBytes` is higher. Throws 415 or 413 for
 * anything else, and FormRejection if a field name is rejected.
 */
export async function readFormData(request: Request, maxBytes = maxBodyBytes): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(type) || !isUtf8(type)) {
    throw new Response("Submit this page's form instead", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readBody(request, maxBytes);
  const fields = /^multipart/i.test(type) ? await readParts(body, type) : readPairs(body);
  throwIfFormRejected(request, fields);
  return fields;
}

function readPairs(body: Uint8Array): FormData {
  let separators = 0;
  for (const byte of body) if (byte === 0x26) separators += 1;
  if (separators >= fieldLimits.fields) throw new FormRejection(tooManyFields(fieldLimits.fields));
  const gate = new FieldGate();
  const fields = new FormData();
  let rejection: string | undefined;
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString())) {
    const message = gate.checkName(name);
    if (message === undefined) fields.append(name, value);
    else rejection ??= message;
  }
  if (rejection !== undefined) throw new FormRejection(rejection, fields);
  return fields;
}

async function readParts(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const { allFields, files } = await openMultipart(
    new Request("http://form/", { method: "POST", headers: { "Content-Type": type }, body }),
    { limits: { fields: fieldLimits.fields, fieldBytes: body.byteLength, files: 1, fileBytes: body.byteLength } },
  );
  try {
    for await (const file of files) {
      file.stream.resume();
      throw new FormRejection("This form takes no files.", allFields);
    }
  } catch (error) {
    if (error instanceof TruncatedFormError)
      throw new FormRejection("The form could not be read. Reload the page and try again.");
    if (error instanceof FileRejectedError) throw new FormRejection(error.message, allFields);
    throw error;
  }
  return allFields;
}
