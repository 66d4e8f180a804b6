import { reencryptCredentials } from "#app/domain/credentials/reencrypt-credentials.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { print, runCommand } from "./command.ts";

/**
 * `npm run secrets -- reencrypt`: re-encrypts stored credentials, names and postal codes of people, and people in objects,
 * which then no longer need an earlier SESSION_SECRET or ENCRYPTION_KEY.
 */
await runCommand(async (ctx) => {
  const [verb, ...more] = process.argv.slice(2);
  if (verb !== "reencrypt" || more.length > 0) throw new StartupError("Usage: npm run secrets -- reencrypt");
  const { reencrypted, unreadable } = await reencryptCredentials(ctx);
  print(`${reencrypted} ${reencrypted === 1 ? "value" : "values"} encrypted with the newest key`);
  if (unreadable === 0) return;
  throw new StartupError(
    `${unreadable} cannot be decrypted: add the earlier secret to SESSION_SECRET_PREVIOUS or ENCRYPTION_KEY_PREVIOUS and run this again`,
  );
});
