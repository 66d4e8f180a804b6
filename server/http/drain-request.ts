import type { IncomingMessage } from "node:http";
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
    // Before Node's own listener, which closes a connection that is not kept open.
    response.prependListener("finish", () => {
      if (request.complete) return;
      closeAfterBody(request);
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

/**
 * Makes Node end its side of the connection where it would close it, until the body has arrived. A sender whose
 * connection closes while it sends gets an error, which may come before it has read the response.
 */
function closeAfterBody(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon;
  let isEnding = false;
  socket.destroySoon = () => {
    isEnding = true;
    socket.end();
  };
  request.once("end", () => {
    socket.destroySoon = close;
    if (isEnding) socket.destroySoon();
  });
}

/** Looks to a reader like a disconnected sender: the result of the rest is discarded. */
class Answered extends Error {
  readonly code = "ECONNRESET";

  constructor() {
    super("the request was answered before it was read");
  }
}
