import type { AppServer } from "./app-server.ts";

/** Signs in as a demo account and returns the session's cookies. */
export async function signIn({ origin }: Pick<AppServer, "origin">, who: "advertiser" | "publisher"): Promise<string> {
  const response = await fetch(`${origin}/api/oauth/google/redirect_url`);
  const { redirectUrl }: { redirectUrl: string } = await response.json();
  const browser = cookieOf(response);
  const chosen = await fetch(`${redirectUrl}&login_hint=${who}@example.com`, {
    redirect: "manual",
    headers: { cookie: browser },
  });
  const code = new URL(chosen.headers.get("location") ?? "", origin).searchParams.get("code");
  const created = await fetch(`${origin}/api/sessions`, {
    method: "POST",
    headers: { cookie: browser, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return cookieOf(created);
}

function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
