import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { clearCookie, readCookie, writeCookie } from "./cookies.server.ts";
import { sign, unsign } from "./signed.server.ts";

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  message: z.string().max(300),
});

/** A message for the next page: what the form that was just sent did. */
export type Flash = z.infer<typeof flashSchema>;

/** Goes to `to`, a path made by us, where the layout shows the message once. */
export function redirectWithFlash(to: string, flash: Flash, headers: Headers = new Headers()): TypedResponse<never> {
  headers.append("Set-Cookie", writeCookie("portal_flash", sign("flash", flash), 60));
  return redirect(to, { headers });
}

/** The message that is waiting, if there is one, and the headers that take it away. */
export function readFlash(request: Request): { flash: Flash | undefined; headers: Headers } {
  const headers = new Headers();
  const value = readCookie(request, "portal_flash");
  if (!value) return { flash: undefined, headers };
  headers.append("Set-Cookie", clearCookie("portal_flash"));
  return { flash: unsign("flash", value, flashSchema), headers };
}
