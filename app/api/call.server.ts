import type { Readable } from "node:stream";
import type { input, output, ZodType } from "zod";
import { doOnce } from "#app/domain/idempotency/do-once.server.ts";
import {
  type Caller,
  type Entry,
  enterAsAdvertiser,
  enterAsOperator,
  enterAsPublisher,
  enterAsTenant,
  enterAsUser,
  enterAsVisitor,
  refuseKeys,
  type Visit,
} from "./callers.server.ts";
import { parseJsonLines } from "./json-body.ts";
import { withoutNumberTexts } from "./json-numbers.ts";
import { Problem } from "./problem.ts";
import { type CallBody, noBody, parseInput, parseJsonObject, readCallBody, readQuery } from "./read-input.server.ts";

export const methods = ["GET", "POST", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];
export type PathParams = Record<string, string>;

/** One row of the table of calls. Its method and path are its key there. */
export type Call<Q extends ZodType = ZodType, B extends ZodType = ZodType, A extends ZodType = ZodType> = {
  summary: string;
  caller: Caller;
  query?: Q;
  body?: B;
  answer: A;
  status: 200 | 201 | 202;
  /** Whether an API key may make it. */
  keys: boolean;
  /** Then `Idempotency-Key` is required. */
  moneyMoves: boolean;
  /** The body is a form with files, which `run` reads itself as they arrive. */
  takesFiles: boolean;
  /** The body may be a table too: `text/csv`. */
  takesCsv: boolean;
  /** The answer is a file of one of these types. */
  fileTypes?: readonly string[];
  perform: (visit: Visit, params: PathParams) => Promise<{ status: number; body: string | Readable }>;
};

type Definition<E extends Entry, Q extends ZodType, B extends ZodType, A extends ZodType> = {
  summary: string;
  query?: Q;
  body?: B;
  answer: A;
  status?: 200 | 201 | 202;
  keys?: false;
  moneyMoves?: true;
  takesFiles?: true;
  /** Its work goes on after the answer, so that no transaction may hold it. Asked for twice it is refused by its verb. */
  goesOn?: true;
  /** The most a body may hold, in bytes, when it is more than usual. */
  bodyBytes?: number;
  /** Past so many items of a list the body is not parsed, when it is more than usual. */
  maxItems?: number;
  /** Reads a body of JSON lines into what `body` checks. */
  readLines?: (lines: unknown[]) => unknown;
  /** Reads a body that is a JSON list into what `body` checks. */
  readList?: (items: unknown[]) => unknown;
  /** Reads a body that is CSV into what `body` checks. */
  readCsv?: (bytes: Uint8Array) => Promise<unknown>;
  /** How long it may hold a transaction, in milliseconds, when it is longer than usual. */
  deadlineMs?: number;
  /** Fields of the answer, however deep, that a repetition does not get: secrets. */
  shownOnce?: readonly string[];
  run: (call: E & { visit: Visit; params: PathParams; query: output<Q>; body: output<B> }) => Promise<input<A>>;
};

export const visitorCall = callOf("visitor", enterAsVisitor);
export const userCall = callOf("user", enterAsUser);
export const advertiserCall = callOf("advertiser", enterAsAdvertiser);
export const publisherCall = callOf("publisher", enterAsPublisher);
export const tenantCall = callOf("tenant", enterAsTenant);
export const operatorCall = callOf("operator", enterAsOperator);

/** Who is it, may he, what does he want, do it: the same order for all calls. */
function callOf<E extends Entry>(caller: Caller, enter: (visit: Visit) => Promise<E>) {
  return function call<Q extends ZodType, B extends ZodType, A extends ZodType>(
    definition: Definition<E, Q, B, A>,
  ): Call<Q, B, A> {
    const {
      summary,
      query,
      body,
      answer,
      status = 200,
      keys = true,
      moneyMoves = false,
      takesFiles = false,
    } = definition;
    async function readValue({ bytes, written }: CallBody): Promise<unknown> {
      const { readLines, readCsv } = definition;
      if (written === "lines" && readLines) return readLines(await parseJsonLines(bytes));
      if (written === "csv" && readCsv) return readCsv(bytes);
      const value = await parseJsonObject(bytes, definition);
      return body ? withoutNumberTexts(body, value) : value;
    }
    async function perform(visit: Visit, params: PathParams) {
      if (!keys) await refuseKeys(visit);
      const entry = await enter(visit);
      const key = readIdempotencyKey(visit.request, moneyMoves);
      const { bodyBytes, readLines, readCsv, goesOn, deadlineMs } = definition;
      const unread = takesFiles || visit.request.method === "GET";
      const taken = { bodyBytes, lines: readLines !== undefined, csv: readCsv !== undefined };
      const sent = unread ? noBody : await readCallBody(visit.request, taken);
      const given = {
        visit,
        params,
        query: parseIf(query, query && readQuery(visit.request)),
        body: parseIf(body, body && (await readValue(sent))),
      };
      const work = async (ctx: E["ctx"]) => {
        const made = await definition.run({ ...entry, ...given, ctx });
        return { status, body: JSON.stringify(made), kept: keptOf(made, definition.shownOnce) };
      };
      // What takes files has keys of its own: no transaction is held while they arrive.
      if (!key || !entry.repeats || takesFiles || goesOn) return work(entry.ctx);
      const { pathname, search } = new URL(visit.request.url);
      const request = `${visit.request.method}\n${pathname}${search}\n`;
      const once = { caller: entry.repeats, key, request, body: sent.bytes, deadlineMs, movesMoney: moneyMoves };
      const done = await doOnce(entry.ctx, once, work);
      if (done.replayed) visit.headers.set("Idempotent-Replayed", "true");
      return done;
    }
    return {
      summary,
      caller,
      query,
      body,
      answer,
      status,
      keys: keys && caller !== "user",
      moneyMoves,
      takesFiles,
      takesCsv: definition.readCsv !== undefined,
      perform,
    };
  };
}

/** Nothing is read for a call that has no schema; its type is then unknown. */
function parseIf<S extends ZodType>(schema: S | undefined, input: unknown): output<S>;
function parseIf(schema: ZodType | undefined, input: unknown): unknown {
  return schema && parseInput(schema, input);
}

export function readIdempotencyKey(request: Request, required = false): string | undefined {
  if (request.method !== "POST") return undefined;
  const key = request.headers.get("Idempotency-Key");
  if (key === null && required) throw new Problem("malformed", "Send an Idempotency-Key: this call moves money");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem("malformed", "An Idempotency-Key has 1 to 255 visible ASCII characters");
  }
  return key ?? undefined;
}

function keptOf(answer: unknown, shownOnce: readonly string[] | undefined): string | undefined {
  return shownOnce && JSON.stringify(answer, (field, value) => (shownOnce.includes(field) ? undefined : value));
}
