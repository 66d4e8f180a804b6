import type { RequestHandler } from "express";

/** The maximum that is drained so that a sender can receive an early response, in bytes. */
const maxDrainBytes = 256 * 1024 * 1024;
const interval = 1_000;
/** The time without data after which a sender counts as gone, in milliseconds. */
const senderTimeoutMs = 10_000;

/**
 * Drains the body of a request that already has its response: a browser shows the response only after it has sent
 * everything, and shows none if the connection closes before. Cuts off senders that exceed the limit or stall, and ends
 * any reader still waiting, which Node does not.
 */
export function drainUnreadBody(): RequestHandler {
  return (request, response, next) => {
    response.on("finish", () => {
      if (request.complete) return;
      if (request.listenerCount("error") > 0) request.emit("error", new Answered());
      request.removeAllListeners("data").resume();
      const { socket } = request;
      const from = socket.bytesRead;
      let [before, movedAt] = [from, Date.now()];
      const clock = setInterval(() => {
        if (socket.bytesRead !== before) [before, movedAt] = [socket.bytesRead, Date.now()];
        if (before - from > maxDrainBytes || Date.now() - movedAt > senderTimeoutMs) socket.destroy();
        if (request.complete || socket.destroyed) clearInterval(clock);
      }, interval);
      clock.unref();
    });
    next();
  };
}

/** Looks to a reader like a disconnected sender: the result of the rest is discarded. */
class Answered extends Error {
  readonly code = "ECONNRESET";

  constructor() {
    super("the request was answered before it was read");
  }
}
