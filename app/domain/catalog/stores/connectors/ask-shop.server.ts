import type { output, ZodType } from "zod";
import { OutboundError } from "#app/outbound/outbound-error.ts";
import { readJson } from "#app/outbound/read-json.ts";
import type { OutboundAnswer, OutboundRequest } from "#app/outbound/send-outbound.server.ts";
import { type Patience, sendPatiently } from "#app/outbound/send-patiently.server.ts";
import { ShopError } from "./shop-connector.ts";

/** A hundred products with their texts take a shop seconds at times. */
const limits = { milliseconds: 30_000, bytes: 16 * 1024 * 1024 };

/** One request to a shop and its answer by its documented shape. Throws a ShopError. */
export async function askShop<S extends ZodType>(
  request: OutboundRequest,
  schema: S,
  patience: Patience = {},
): Promise<{ body: output<S>; headers: OutboundAnswer["headers"] }> {
  try {
    const answer = await sendPatiently({ ...limits, ...request }, patience);
    if (answer.status === 401) throw new ShopError("refused");
    if (answer.status === 402 || answer.status === 403) throw new ShopError("not_allowed");
    if (answer.status === 404) throw new ShopError("not_a_shop");
    if (answer.status === 429) throw new ShopError("busy");
    if (answer.status >= 500) throw new ShopError("unreachable");
    // A redirect is not followed: with it the credentials would go where nobody said.
    if (answer.status >= 300 && answer.status <= 399) throw new ShopError("not_a_shop");
    if (answer.status < 200 || answer.status > 299) throw new ShopError("unreadable");
    return { body: readJson(answer, schema), headers: answer.headers };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ShopError(error.problem === "unreadable" ? "unreadable" : "unreachable");
  }
}
