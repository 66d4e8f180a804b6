import { parseWithZod, type Submission, type SubmissionResult } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { input, output, ZodType } from "zod";
import { DomainError } from "#app/domain/errors.ts";
import { readBody } from "./body.server.ts";
import { statusOf } from "./http-status.ts";
import { log } from "./log.server.ts";
import { notFoundPage } from "./not-found.server.ts";

/** What an action answers when a form cannot be taken: its values and its errors, for `useForm({ lastResult })`. */
export type FormAnswer = ReturnType<typeof data<SubmissionResult<string[]>>>;

/**
 * Reads a posted form with a payload's schema and hands it to `submit`, which calls the verb and answers with a redirect.
 * What does not fit the schema, and what the verb refuses, is answered with the form as it was typed: 422, or the
 * status of the verb's error. The errors of no field stand under `""`. A field named in `secret` is not given back.
 */
export async function submitForm<S extends ZodType, T>(
  request: Request,
  schema: S,
  submit: (value: output<S>, submission: Submission<input<S>, string[], output<S>>) => Promise<T>,
  { secret = [] }: { secret?: string[] } = {},
): Promise<T | FormAnswer> {
  return submitFields(await readForm(request), schema, submit, { secret });
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

const maxFields = 5_000;

/**
 * Parses the fields of a form with its schema. Only plain names count. Conform reads `name[99999999]` as a list of that length,
 * which exhausts the memory, and `__intent__` as an edit of the form, which the browser does by itself.
 */
export function parseForm<S extends ZodType>(fields: FormData, schema: S): Submission<input<S>, string[], output<S>> {
  const plain = new FormData();
  let count = 0;
  for (const [name, value] of fields) {
    if (!/^(?!__)\w+$/.test(name)) continue;
    count += 1;
    if (count > maxFields) throw new Response("The form has too many fields", { status: 413 });
    plain.append(name, value);
  }
  return parseWithZod(plain, { schema });
}

/** The fields of a posted form, at most 64 KB unless it may hold more. Throws 415 or 400 for what is no form. */
export async function readForm(request: Request, maxBytes?: number): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(type)) {
    throw new Response("Send a form", { status: 415, statusText: "Unsupported Media Type" });
  }
  const body = await readBody(request, maxBytes);
  try {
    return await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new Response("The form cannot be read", { status: 400, statusText: "Bad Request" });
  }
}
