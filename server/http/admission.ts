import type { Request, RequestHandler, Response } from "express";
import { sendPlainResponse } from "./plain-response.ts";

/** The target of the average response time at the limit, in milliseconds. */
const targetMs = 500;
const windowMs = 250;
const [minLimit, maxLimit] = [16, 512];
/** The limit before anything is measured. */
const initialLimit = 64;
/**
 * Limits of concurrent file transfers. A transfer older than `freshMs` costs little at any time and may run for
 * minutes, so it counts only toward the total and not toward the measurement. A fresh one queries the database three
 * times as often as a page does, so a slow server admits fewer of them too: one per four other requests.
 */
const [freshTransfers, allTransfers] = [16, 256];
const othersPerTransfer = 4;
const freshMs = 2_000;

export type Admission = {
  /**
   * Returns false if as many requests are running as can be answered in time, including `others` of another kind; each
   * admitted request calls `leave` once.
   */
  enter: (others?: number) => boolean;
  leave: () => void;
  /** The measured limit of concurrent requests. */
  limit: () => number;
};

/**
 * Limits concurrent requests by the measured throughput: while at least a quarter of the slots is in use, the time
 * between two responses is measured (the service time), and as many requests are admitted as the server answers within
 * `targetMs`. More would only wait longer. `now` is in milliseconds.
 */
export function openAdmission(now: () => number): Admission {
  let limit = initialLimit;
  let serviceMs: number | undefined;
  let underWay = 0;
  let begin = now();
  let answered = 0;
  let isFull = false;

  function measure(): void {
    const passed = now() - begin;
    if (passed < windowMs) return;
    if ((isFull || underWay >= limit / 4) && answered > 0) {
      const measured = passed / answered;
      serviceMs = serviceMs === undefined ? measured : 0.7 * serviceMs + 0.3 * measured;
      limit = Math.round(Math.min(maxLimit, Math.max(minLimit, targetMs / serviceMs)));
    }
    begin += passed;
    answered = 0;
    isFull = underWay >= limit;
  }

  return {
    enter(others = 0) {
      measure();
      if (underWay + others >= limit) {
        isFull = true;
        return false;
      }
      underWay += 1;
      return true;
    },
    leave() {
      underWay -= 1;
      answered += 1;
      measure();
    },
    limit: () => limit,
  };
}

type AdmissionOptions = {
  isTransfer: (request: Request) => boolean;
  /** Called for each request that is rejected, with the limit that it exceeds. */
  onShed?: ((reason: "capacity" | "transfers") => void) | undefined;
};

/**
 * Responds with 503 at once if the server is overloaded: late responses to all requests help nobody. `isTransfer`
 * selects the requests that last as long as a file takes.
 */
export function admitRequests({ isTransfer, onShed }: AdmissionOptions): RequestHandler {
  const usual = openAdmission(() => performance.now());
  const transfers = openTransfers(() => Math.min(freshTransfers, usual.limit() / othersPerTransfer));
  return (request, response, next) => {
    const admitted = isTransfer(request)
      ? transfers.enter(request, response)
      : admit(usual, { response, others: transfers.fresh() });
    if (admitted) return next();
    onShed?.(isTransfer(request) ? "transfers" : "capacity");
    const message = "The server is busy. Try again in a few seconds.";
    const headers = { "Retry-After": "2" };
    sendPlainResponse(request, response, { status: 503, code: "unavailable", message, headers });
  };
}

function admit(admission: Admission, { response, others }: { response: Response; others: number }): boolean {
  const admitted = admission.enter(others);
  if (admitted) response.on("close", () => admission.leave());
  return admitted;
}

/** Limits transfers by the number of fresh ones and by their total; `enter` returns whether a request is admitted. */
export function openTransfers(maxFresh: () => number) {
  let [fresh, all] = [0, 0];
  function enter(
    request: Pick<Request, "complete">,
    response: Pick<Response, "headersSent"> & NodeJS.EventEmitter,
  ): boolean {
    if (fresh >= maxFresh() || all >= allTransfers) return false;
    fresh += 1;
    all += 1;
    let isFresh = true;
    const settle = () => {
      if (isFresh) fresh -= 1;
      isFresh = false;
    };
    const clock = setTimeout(() => {
      if (!request.complete || response.headersSent) settle();
    }, freshMs);
    response.on("close", () => {
      clearTimeout(clock);
      settle();
      all -= 1;
    });
    return true;
  }
  return { enter, fresh: () => fresh };
}
