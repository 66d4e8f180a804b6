import type { RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import { answerPlainly } from "./plain-answer.ts";

export const securityTxtPath = "/.well-known/security.txt";

const dayMs = 24 * 60 * 60 * 1_000;
/** RFC 9116 recommends less than a year. */
const lifeDays = 180;

/** Where to report a weakness (RFC 9116): not found where no contact is set. */
export function securityTxt(env: Env, now = () => new Date()): RequestHandler {
  return (request, response) => {
    if (!env.securityContact) {
      return answerPlainly(request, response, { status: 404, code: "not_found", message: "Not found" });
    }
    // Midnight, so that the answer is the same all day.
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
