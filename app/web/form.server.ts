import { parseWithZod, type Submission, type SubmissionResult } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { input, output, ZodType } from "zod";
import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import { DomainError } from "#app/domain/errors.ts";
import { maxBodyBytes, readBody } from "./body.server.ts";
import { FieldGate, FormRefusal, fieldLimits, isUtf8, throwIfRefused, tooManyFields } from "./field-gate.ts";
import { statusOf } from "./http-status.ts";
import { log } from "./log.server.ts";
import { notFoundPage } from "./not-found.server.ts";
import { CutOff, openMultipart } from "./uploads.server.ts";

/** What an action answers when a form cannot be taken: its values and its errors, for `useForm({ lastResult })`. */
export type FormAnswer = ReturnType<typeof data<SubmissionResult<string[]>>>;

/**
 * Reads a posted form with a payload's schema and hands it to `submit`, which calls the verb and answers with a redirect.
 * What does not fit the schema, and what the verb refuses, is answered with the form as it was typed: 422, or the
 * status of the verb's error. The errors of no field stand under `""`. A field named in `secret` is not given back. Where a
 * field does not pass the gate the others come back with 400.
 */
export async function submitForm<S extends ZodType, T>(
  request: Request,
  schema: S,
  submit: (value: output<S>, submission: Submission<input<S>, string[], output<S>>) => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormAnswer> {
  const submitRead = async () => submitFields(await readForm(request), schema, submit, { secret });
  return giveBackRefused(schema, submitRead, { secret });
}

/** Runs an action that reads its form itself: one that is refused before the action has it comes back as it was typed. */
export async function giveBackRefused<T>(
  schema: ZodType,
  work: () => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormAnswer> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof FormRefusal)) throw thrown;
    const kept = parseForm(thrown.fields, schema);
    const { status, words } = thrown;
    return data(kept.reply({ hideFields: secret, fieldErrors: {}, formErrors: [words] }), { status });
  }
}

/** The same with fields that were read already: those of a form with files. */
export async function submitFields<S extends ZodType, T>(
  fields: FormData,
  schema: S,
  submit: (value: output<S>, submission: Submission<input<S>, string[], output<S>>) => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormAnswer> {
  const submission = parseForm(fields, schema);
  if (submission.status !== "success") return data(submission.reply({ hideFields: secret }), { status: 422 });
  try {
    return await submit(submission.value, submission);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "not_found") throw notFoundPage();
    if (error.code === "unavailable") log.error("form failed", { error: error.cause });
    const formErrors = error.fields ? [] : [error.message];
    return data(submission.reply({ hideFields: secret, fieldErrors: error.fields ?? {}, formErrors }), {
      status: statusOf[error.code],
    });
  }
}

/** What was typed, for a button that only asks something: the form is shown again without a word on it. */
export function keepFields(fields: FormData, schema: ZodType): SubmissionResult<string[]> {
  return { initialValue: parseForm(fields, schema).reply().initialValue };
}

/**
 * Parses the fields of a form with its schema. Only plain names count: no form has others, and conform would build lists and
 * objects of them.
 */
export function parseForm<S extends ZodType>(fields: FormData, schema: S): Submission<input<S>, string[], output<S>> {
  const plain = new FormData();
  for (const [name, value] of fields) {
    if (/^(?!__)\w+$/.test(name) && typeof value === "string") plain.append(name, value);
  }
  return parseWithZod(plain, { schema });
}

/**
 * The fields of a posted form without files, at most 64 KB unless it may hold more. Throws 415 or 413 for what is no such
 * form, and FormRefusal where its fields do not pass the gate.
 */
export async function readForm(request: Request, maxBytes = maxBodyBytes): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(type) || !isUtf8(type)) {
    throw new Response("Send a form", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readBody(request, maxBytes);
  const fields = /^multipart/i.test(type) ? await readParts(body, type) : readPairs(body);
  throwIfRefused(request, fields);
  return fields;
}

function readPairs(body: Uint8Array): FormData {
  let separators = 0;
  for (const byte of body) if (byte === 0x26) separators += 1;
  if (separators >= fieldLimits.fields) throw new FormRefusal(tooManyFields(fieldLimits.fields));
  const gate = new FieldGate();
  const fields = new FormData();
  let refusal: string | undefined;
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString())) {
    const words = gate.refusalOf(name);
    if (words === undefined) fields.append(name, value);
    else refusal ??= words;
  }
  if (refusal !== undefined) throw new FormRefusal(refusal, fields);
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
      throw new FormRefusal("This form takes no files.", allFields);
    }
  } catch (error) {
    if (error instanceof CutOff) throw new FormRefusal("The form cannot be read.");
    if (error instanceof FileRefusal) throw new FormRefusal(error.message, allFields);
    throw error;
  }
  return allFields;
}
