import type { RequestHandler } from "express";

/** The most that is read and dropped so that a sender can see an answer that came early. */
const mostDropped = 256 * 1024 * 1024;
const interval = 1_000;
/** A sender from whom nothing came for so long has gone away. In milliseconds. */
const silence = 10_000;

/**
 * Reads and drops what still comes of a request that was answered already: a browser that sends shows no answer before it
 * is done, and gets none from a connection that is closed on it. Who goes on for ever is cut off. And whoever in here still
 * reads the request is told that it has ended, which Node does not do once the answer is out.
 */
export function dropUnread(): RequestHandler {
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
        if (before - from > mostDropped || Date.now() - movedAt > silence) socket.destroy();
        if (request.complete || socket.destroyed) clearInterval(clock);
      }, interval);
      clock.unref();
    });
    next();
  };
}

/** Reads like a sender that went away: nobody will see what comes of the rest. */
class Answered extends Error {
  readonly code = "ECONNRESET";

  constructor() {
    super("the request was answered before it was read");
  }
}
