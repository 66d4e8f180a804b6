import { expect, it } from "vitest";
import { describeFailure } from "#app/web/describe-failure.ts";
import { describeTooLarge } from "#app/web/too-large.ts";

/** What a boundary gets for a response that a loader or an action threw. */
const thrown = (status: number, data: string) => ({ status, statusText: "", internal: false, data });

it("shows what a rejected request says about itself, and support's way for what the log has", () => {
  const outdated = "This form is out of date. Reload the page and try again.";
  expect(describeFailure(thrown(400, outdated))).toEqual({
    title: "Your request was not completed",
    text: outdated,
    isLogged: false,
  });
  expect(describeFailure(thrown(429, "Too many requests. Try again in 5 seconds."))).toMatchObject({
    title: "Too many requests",
    text: "Try again in 5 seconds.",
  });
  expect(describeFailure(thrown(413, describeTooLarge(64 * 1024)))).toEqual({
    title: "This is too large to send",
    text: "Nothing was saved. Up to 64 KB can be sent at once. Go back in your browser, where your input usually still is. Then shorten it, or send it in parts.",
    isLogged: false,
  });
  const ofFramework = 'Error: You made a POST request to "/terms" but did not provide an `action` for route "terms"';
  expect(describeFailure(thrown(405, ofFramework))).toEqual({
    title: "Your request was not completed",
    text: "This page can't process that request. Go back, reload the page and try again.",
    isLogged: false,
  });
  expect(describeFailure(thrown(503, "Service Unavailable")).isLogged).toBe(false);
  expect(describeFailure(new Error("broken"))).toMatchObject({ title: "Something went wrong", isLogged: true });
});
