import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { shortenText } from "#app/domain/shorten-text.ts";
import { expiredCookie, portalCookie, serializeCookie } from "./cookies.server.ts";
import { undoSchema } from "./undo.server.ts";

/** In characters. With the undo of a page of rows, a cookie of 4,096 bytes has no room for more. */
const maxMessage = 350;

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  message: z.string(),
  undo: undoSchema.optional(),
});

/** A message on the next page about the result of the last form, with the action that reverses it. */
export type Flash = z.infer<typeof flashSchema>;

/** Redirects to `to`, a path from our own code, where the layout shows the message once. A long message is cut. */
export async function redirectWithFlash(
  to: string,
  flash: Flash,
  headers: Headers = new Headers(),
): Promise<TypedResponse<never>> {
  const message = shortenText(flash.message, maxMessage);
  headers.append("Set-Cookie", await serializeCookie("portal_flash", { ...flash, message }));
  return redirect(to, { headers });
}

/**
 * Returns the pending message, and the headers that delete it. The headers also delete a cookie without a valid
 * signature.
 */
export async function readFlash(request: Request): Promise<{ flash: Flash | undefined; headers: Headers }> {
  const cookie = portalCookie("portal_flash");
  const cookieHeader = request.headers.get("Cookie");
  const headers = new Headers();
  if (!cookieHeader?.includes(`${cookie.name}=`)) return { flash: undefined, headers };
  const value: unknown = await cookie.parse(cookieHeader);
  if (value !== "") headers.append("Set-Cookie", await expiredCookie("portal_flash"));
  return { flash: flashSchema.safeParse(value).data, headers };
}
