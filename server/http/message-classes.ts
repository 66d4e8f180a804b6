import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/** The classes of a server's requests and responses, as `createServer` accepts them. */
export type MessageClasses = { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };

export function createMessageClasses(): MessageClasses {
  return {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class<Request extends IncomingMessage> extends ServerResponse<Request> {},
  };
}

/**
 * Gives the classes Express's methods, and makes their prototypes those of the application. Otherwise Express changes
 * the prototypes of each request and response, and V8 then moves them, and all that belongs to the request, to its old
 * generation.
 */
export function adoptMessageClasses(app: Express, { IncomingMessage, ServerResponse }: MessageClasses): void {
  Object.setPrototypeOf(IncomingMessage.prototype, app.request);
  Object.setPrototypeOf(ServerResponse.prototype, app.response);
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
}
