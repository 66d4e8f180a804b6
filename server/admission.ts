import type { Request, RequestHandler, Response } from "express";
import { answerPlainly } from "./plain-answer.ts";

/** How long a request may take on average when as many are admitted as the server can do at once; milliseconds. */
const targetMs = 500;
const windowMs = 250;
const [fewest, most] = [16, 512];
/** Before anything is measured. */
const initialLimit = 64;
/**
 * Files at once. One that still comes or goes after `lingersMs` costs little at a time and may go on for minutes: it counts
 * only among all of them, and is no measure of the others.
 */
const [freshTransfers, allTransfers] = [16, 256];
const lingersMs = 2_000;

export type Admission = {
  /** False when as many are under way as can be answered in time; each admitted one calls `leave` once. */
  enter: () => boolean;
  leave: () => void;
  /** How many may be under way at once, as measured. */
  limit: () => number;
};

/**
 * Bounds the requests under way by how fast they are answered: while a quarter of the places and more is taken, the time
 * between two answers is measured (the service time), and as many are admitted as the server answers within `targetMs`. More
 * would wait longer and none would be answered sooner. `now` is in milliseconds.
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
      limit = Math.round(Math.min(most, Math.max(fewest, targetMs / serviceMs)));
    }
    begin += passed;
    answered = 0;
    isFull = underWay >= limit;
  }

  return {
    enter() {
      measure();
      if (underWay >= limit) {
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

/**
 * Answers 503 at once where more is asked than the server can do: late answers to everybody help nobody. `isTransfer` says
 * which requests go on for as long as a file takes.
 */
export function admitRequests({ isTransfer }: { isTransfer: (request: Request) => boolean }): RequestHandler {
  const usual = openAdmission(() => performance.now());
  const transfers = openTransfers();
  return (request, response, next) => {
    const admitted = isTransfer(request) ? transfers(request, response) : enter(usual, response);
    if (admitted) return next();
    const message = "Too much is asked of us at the moment. Try again in a few seconds";
    const headers = { "Retry-After": "2" };
    answerPlainly(request, response, { status: 503, code: "unavailable", message, headers });
  };
}

function enter(admission: Admission, response: Response): boolean {
  const admitted = admission.enter();
  if (admitted) response.on("close", () => admission.leave());
  return admitted;
}

function openTransfers(): (request: Request, response: Response) => boolean {
  let [fresh, all] = [0, 0];
  return (request, response) => {
    if (fresh >= freshTransfers || all >= allTransfers) return false;
    fresh += 1;
    all += 1;
    let isFresh = true;
    const settle = () => {
      if (isFresh) fresh -= 1;
      isFresh = false;
    };
    const clock = setTimeout(() => {
      if (!request.complete || response.headersSent) settle();
    }, lingersMs);
    response.on("close", () => {
      clearTimeout(clock);
      settle();
      all -= 1;
    });
    return true;
  };
}
