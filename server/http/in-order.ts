import type { RequestHandler } from "express";

/** Returns one handler for several: Express would match the request's path again before each of them. */
export function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let at = 0;
    const runNext = (error?: unknown): void => {
      const handler = handlers[at];
      at += 1;
      try {
        if (error || !handler) next(error);
        else handler(request, response, runNext);
      } catch (thrown) {
        next(thrown);
      }
    };
    runNext();
  };
}
