import { createHmac, timingSafeEqual } from "node:crypto";
import { redirect, type TypedResponse } from "@remix-run/node";
import { z } from "zod";
import { env } from "#app/env.server.ts";
import { clearCookie, readCookie, writeCookie } from "./cookies.server.ts";

const flashSchema = z.object({
  tone: z.enum(["success", "error", "info"]),
  message: z.string().max(300),
});

/** A message for the next page: what the form that was just sent did. */
export type Flash = z.infer<typeof flashSchema>;

/** Goes to `to`, a path made by us, where the layout shows the message once. */
export function redirectWithFlash(to: string, flash: Flash, headers: Headers = new Headers()): TypedResponse<never> {
  headers.append("Set-Cookie", flashCookie(flash));
  return redirect(to, { headers });
}

/** The message that is waiting, if there is one, and the headers that take it away. */
export function readFlash(request: Request): { flash: Flash | undefined; headers: Headers } {
  const headers = new Headers();
  const value = readCookie(request, "portal_flash");
  if (!value) return { flash: undefined, headers };
  headers.append("Set-Cookie", clearCookie("portal_flash"));
  return { flash: unsign(value), headers };
}

function flashCookie(flash: Flash): string {
  const text = Buffer.from(JSON.stringify(flash)).toString("base64url");
  return writeCookie("portal_flash", `${text}.${sign(text)}`, 60);
}

/** Signed, so that the site only ever says what it said itself. */
function unsign(value: string): Flash | undefined {
  const [text = "", signature = ""] = value.split(".");
  const expected = Buffer.from(sign(text));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  const read = flashSchema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  return read.success ? read.data : undefined;
}

function sign(text: string): string {
  return createHmac("sha256", env().sessionSecret).update(`flash.${text}`).digest("base64url");
}
