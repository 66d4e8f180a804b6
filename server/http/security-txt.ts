import type { RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import { sendPlainResponse } from "./plain-response.ts";

export const securityTxtPath = "/.well-known/security.txt";

const dayMs = 24 * 60 * 60 * 1_000;
/** RFC 9116 recommends less than a year. */
const lifeDays = 180;

/** Serves the contact for vulnerability reports (RFC 9116); 404 if no contact is configured. */
export function securityTxt(env: Env, now = () => new Date()): RequestHandler {
  return (request, response) => {
    if (!env.securityContact) {
      return sendPlainResponse(request, response, { status: 404, code: "not_found", message: "Not found" });
    }
    // Rounded to midnight, so that the response is the same all day.
    const expires = new Date(Math.floor(now().getTime() / dayMs) * dayMs + lifeDays * dayMs);
    const fields = [
      `Contact: ${env.securityContact}`,
      `Expires: ${expires.toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${env.publicUrl}${securityTxtPath}`,
      `Policy: ${env.publicUrl}/terms#weaknesses`,
    ];
    response.type("text/plain; charset=utf-8").send(`${fields.join("\n")}\n`);
  };
}
