import type { output, ZodType } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundRequest } from "#app/outbound/send-outbound.server.ts";
import { type Patience, sendPatiently } from "#app/outbound/send-patiently.server.ts";
import { ConnectorError } from "./connector.ts";

/** A page of people takes these programs seconds at times. */
const limits = { milliseconds: 20_000, bytes: 8 * 1024 * 1024 };

/**
 * One request to a program and its answer by its documented shape; `refusal` is the shape of a 400 that means that it does
 * not take the credential. Throws a ConnectorError.
 */
export async function askConnector<S extends ZodType>(
  request: OutboundRequest,
  schema: S,
  patience: Patience = {},
  refusal?: ZodType,
): Promise<output<S>> {
  try {
    const answer = await sendPatiently({ ...limits, ...request }, patience);
    if (answer.status === 400 && refusal) {
      readJson(answer, refusal);
      throw new ConnectorError("refused");
    }
    if (answer.status === 401) throw new ConnectorError("refused");
    if (answer.status === 403) throw new ConnectorError("not_allowed");
    if (answer.status === 404) throw new ConnectorError("unknown_list");
    if (answer.status === 429) throw new ConnectorError("busy");
    if (answer.status >= 500) throw new ConnectorError("unreachable");
    if (answer.status < 200 || answer.status > 299) throw new ConnectorError("unreadable");
    return readJson(answer, schema);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ConnectorError(error.problem === "unreadable" ? "unreadable" : "unreachable");
  }
}
