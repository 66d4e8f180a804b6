import type { output, ZodType } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundRequest, OutboundResponse } from "#app/outbound/send-outbound.server.ts";
import { type RetryPolicy, sendWithRetry } from "#app/outbound/send-with-retry.server.ts";
import { ChannelError, type ChannelProblem, describeChannelProblem } from "./channel-problem.ts";

type ParsedError = { problem: Exclude<ChannelProblem, "waiting">; retryAfterMs?: number | undefined };

/** The configuration of a platform's client: how its errors are parsed, and the callback for results. */
export type ChannelClientConfig = {
  label: string;
  /** Parses a response that is not a success; it may contain a retry delay. */
  parseError: (response: OutboundResponse) => ParsedError;
  /** Called with a problem of the connection, or null after a successful request. */
  onResult?: ((problem: ChannelProblem | null) => Promise<void>) | undefined;
  retryPolicy?: RetryPolicy | undefined;
};

/**
 * A page of a report can take a platform seconds. A request that has to wait longer than these limits is retried by a
 * later run.
 */
const limits = { timeoutMs: 60_000, bytes: 64 * 1024 * 1024 };
const defaultRetryPolicy = { maxDelayMs: 10_000, deadlineMs: 90_000 };
const connectionProblems: readonly ChannelProblem[] = [
  "invalid_credentials",
  "missing_scope",
  "rate_limited",
  "unreachable",
  "unexpected_response",
];

/** The parsed body of a platform's response, and its headers. */
export type ChannelResponse<S extends ZodType> = { value: output<S>; headers: OutboundResponse["headers"] };

/** Sends a request to a platform and parses the response by its documented shape. Throws a ChannelError. */
export async function callChannel<S extends ZodType>(
  config: ChannelClientConfig,
  request: OutboundRequest,
  schema: S,
  options: { tries?: number | undefined } = {},
): Promise<output<S>> {
  return (await callChannelWithHeaders(config, request, schema, options)).value;
}

/** Like `callChannel`, and returns the response's headers as well. */
export async function callChannelWithHeaders<S extends ZodType>(
  config: ChannelClientConfig,
  request: OutboundRequest,
  schema: S,
  { tries }: { tries?: number | undefined } = {},
): Promise<ChannelResponse<S>> {
  try {
    const response = await sendAndParse(config, request, schema, tries);
    await config.onResult?.(null);
    return response;
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    if (connectionProblems.includes(error.problem)) await config.onResult?.(error.problem);
    throw error;
  }
}

async function sendAndParse<S extends ZodType>(
  { label, parseError, retryPolicy }: ChannelClientConfig,
  request: OutboundRequest,
  schema: S,
  tries: number | undefined,
): Promise<ChannelResponse<S>> {
  const fail = ({ problem, retryAfterMs }: ParsedError) =>
    new ChannelError(describeChannelProblem(label, problem), { problem, retryAfterMs });
  try {
    const retryDelayOf = (one: OutboundResponse) => (isSuccess(one) ? undefined : waitFor(parseError(one)));
    const response = await sendWithRetry(
      { ...limits, ...request },
      { ...defaultRetryPolicy, retryDelayOf, ...retryPolicy, ...(tries && { maxAttempts: tries }) },
    );
    if (!isSuccess(response)) throw fail(parseError(response));
    return { value: readJson(response, schema), headers: response.headers };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw fail({ problem: error.problem === "unreadable" ? "unexpected_response" : "unreachable" });
  }
}

function isSuccess({ status }: OutboundResponse): boolean {
  return status >= 200 && status < 300;
}

function waitFor({ problem, retryAfterMs }: ParsedError): number | undefined {
  return problem === "rate_limited" ? retryAfterMs : undefined;
}
