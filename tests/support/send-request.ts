import { type Agent, type IncomingMessage, request } from "node:http";

export type HttpRequest = { method?: string; url: string; headers?: Record<string, string>; body?: string | Buffer };

/**
 * Resolves to the response once its headers arrive; the caller must read the body. Without an agent the request has its
 * own connection.
 */
export function sendRequest(
  { method = "GET", url, headers, body }: HttpRequest,
  agent: Agent | false = false,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, agent, headers }, resolve).on("error", reject).end(body);
  });
}
