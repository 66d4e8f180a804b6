import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { clearCookie, portalCookie, writeCookie } from "./cookies.server.ts";

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  message: z.string().max(300),
});

/** A message for the next page: what the form that was just sent did. */
export type Flash = z.infer<typeof flashSchema>;

/** Goes to `to`, a path made by us, where the layout shows the message once. */
export async function redirectWithFlash(
  to: string,
  flash: Flash,
  headers: Headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append("Set-Cookie", await writeCookie("portal_flash", flash));
  return redirect(to, { headers });
}

/** The message that is waiting, if there is one, and the headers that take it away, as they do what nobody here signed. */
export async function readFlash(request: Request): Promise<{ flash: Flash | undefined; headers: Headers }> {
  const cookie = portalCookie("portal_flash");
  const sent = request.headers.get("Cookie");
  const headers = new Headers();
  if (!sent?.includes(`${cookie.name}=`)) return { flash: undefined, headers };
  const value: unknown = await cookie.parse(sent);
  if (value !== "") headers.append("Set-Cookie", await clearCookie("portal_flash"));
  return { flash: flashSchema.safeParse(value).data, headers };
}
