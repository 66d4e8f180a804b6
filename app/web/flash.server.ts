import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { expiredCookie, portalCookie, serializeCookie } from "./cookies.server.ts";
import { undoSchema } from "./undo.server.ts";

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  message: z.string().max(300),
  undo: undoSchema.optional(),
});

/** A message on the next page about the result of the last form, with the action that reverses it. */
export type Flash = z.infer<typeof flashSchema>;

/** Redirects to `to`, a path from our own code, where the layout shows the message once. */
export async function redirectWithFlash(
  to: string,
  flash: Flash,
  headers: Headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append("Set-Cookie", await serializeCookie("portal_flash", flash));
  return redirect(to, { headers });
}

/** Returns the pending message, and the headers that delete it. The headers also delete a cookie without a valid signature. */
export async function readFlash(request: Request): Promise<{ flash: Flash | undefined; headers: Headers }> {
  const cookie = portalCookie("portal_flash");
  const cookieHeader = request.headers.get("Cookie");
  const headers = new Headers();
  if (!cookieHeader?.includes(`${cookie.name}=`)) return { flash: undefined, headers };
  const value: unknown = await cookie.parse(cookieHeader);
  if (value !== "") headers.append("Set-Cookie", await expiredCookie("portal_flash"));
  return { flash: flashSchema.safeParse(value).data, headers };
}
