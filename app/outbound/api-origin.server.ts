import { env } from "#app/env.server.ts";

/** Returns the configured origin of an API that differs from the documented one: see `.env.example`. */
export function apiOrigin(program: keyof ReturnType<typeof env>["apiOrigins"]): string | undefined {
  return env().apiOrigins[program];
}
