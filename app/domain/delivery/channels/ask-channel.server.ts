import type { output, ZodType } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundAnswer, OutboundRequest } from "#app/outbound/send-outbound.server.ts";
import { type Patience, sendPatiently } from "#app/outbound/send-patiently.server.ts";
import { ChannelError, type ChannelProblem, wordsOfProblem } from "./channel-problem.ts";

type Refusal = { problem: Exclude<ChannelProblem, "waiting">; retryAfterMs?: number | undefined };

/** A way to a platform: how its refusals are read, and who is told what came of each request. */
export type ChannelLine = {
  label: string;
  /** What an answer that is no success means; it may ask for time in a way of its own. */
  read: (answer: OutboundAnswer) => Refusal;
  /** Told of a problem of the connection, and of the first request that went well. */
  note?: ((problem: ChannelProblem | null) => Promise<void>) | undefined;
  patience?: Patience | undefined;
};

/** A report's page takes a platform seconds at times; what asks for longer than this is tried again by a later run. */
const limits = { milliseconds: 60_000, bytes: 64 * 1024 * 1024 };
const usual = { longestPause: 10_000, within: 90_000 };
const ofTheConnection: readonly ChannelProblem[] = ["refused", "not_allowed", "busy", "unreachable", "unreadable"];

/** One request to a platform and its answer by its documented shape. Throws a ChannelError. */
export async function askChannel<S extends ZodType>(
  line: ChannelLine,
  request: OutboundRequest,
  schema: S,
  { tries }: { tries?: number } = {},
): Promise<output<S>> {
  try {
    const made = await ask(line, request, schema, tries);
    await line.note?.(null);
    return made;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    if (ofTheConnection.includes(error.problem)) await line.note?.(error.problem);
    throw error;
  }
}

async function ask<S extends ZodType>(
  { label, read, patience }: ChannelLine,
  request: OutboundRequest,
  schema: S,
  tries: number | undefined,
): Promise<output<S>> {
  const fail = ({ problem, retryAfterMs }: Refusal) =>
    new ChannelError(wordsOfProblem(label, problem), { problem, retryAfterMs });
  try {
    const waitOf = (answer: OutboundAnswer) => (isFine(answer) ? undefined : waitFor(read(answer)));
    const answer = await sendPatiently(
      { ...limits, ...request },
      { ...usual, waitOf, ...patience, ...(tries && { tries }) },
    );
    if (!isFine(answer)) throw fail(read(answer));
    return readJson(answer, schema);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw fail({ problem: error.problem === "unreadable" ? "unreadable" : "unreachable" });
  }
}

function isFine({ status }: OutboundAnswer): boolean {
  return status >= 200 && status < 300;
}

function waitFor({ problem, retryAfterMs }: Refusal): number | undefined {
  return problem === "busy" ? retryAfterMs : undefined;
}
