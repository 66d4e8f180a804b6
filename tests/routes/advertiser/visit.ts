import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";

type Route = {
  loader?: (args: LoaderFunctionArgs) => unknown;
  action?: (args: ActionFunctionArgs) => unknown;
};
type Fields = readonly (readonly [name: string, value: string])[];

/** What a screen's function returned or threw; a flash message is read from its cookie. */
export type Visit = { status: number; location: string | null; body: unknown; flash: string };

const responseSchema = z.object({ data: z.unknown(), init: z.object({ status: z.number().optional() }).nullable() });

/** Calls a screen's loader, or with `form` its action, as the user of the session cookie. */
export function visitAs(cookie: string) {
  return async (route: Route, path: string, { form, id }: { form?: Fields; id?: string } = {}): Promise<Visit> => {
    const request = new Request(new URL(path, "http://localhost:3000"), {
      headers: { Cookie: cookie },
      ...(form && { method: "POST", body: new URLSearchParams(form.map(([name, value]) => [name, value])) }),
    });
    const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };
    const handler = form ? route.action : route.loader;
    if (!handler) throw new Error("The screen has no such function");
    return captureOutcome(() => handler({ request, context, params: id ? { id } : {} }));
  };
}

async function captureOutcome(work: () => unknown): Promise<Visit> {
  let outcome: unknown;
  try {
    outcome = await work();
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    outcome = thrown;
  }
  if (outcome instanceof Response) {
    const { status, headers } = outcome;
    return { status, location: headers.get("Location"), body: await outcome.text(), flash: flashOf(headers) };
  }
  const wrapped = responseSchema.safeParse(outcome);
  return wrapped.success
    ? { status: wrapped.data.init?.status ?? 200, location: null, body: wrapped.data.data, flash: "" }
    : { status: 200, location: null, body: outcome, flash: "" };
}

function flashOf(headers: Headers): string {
  const cookie = headers.getSetCookie().find((each) => each.startsWith("portal_flash=")) ?? "";
  const [payload = ""] = decodeURIComponent(cookie.slice("portal_flash=".length).replace(/;.*/, "")).split(".");
  return Buffer.from(payload, "base64url").toString("utf8");
}
