import { reencryptCredentials } from "#app/domain/credentials/reencrypt-credentials.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run secrets -- reencrypt`: re-encrypts stored credentials, names and postal codes of people, and people in
 * objects, which then no longer need an earlier SESSION_SECRET or ENCRYPTION_KEY.
 */
export default databaseCommand(async ({ ctx, args }) => {
  const [verb, ...more] = args;
  if (verb !== "reencrypt" || more.length > 0) throw new StartupError("Usage: npm run secrets -- reencrypt");
  const { reencrypted, unreadable } = await reencryptCredentials(ctx);
  print(`${reencrypted} ${reencrypted === 1 ? "value" : "values"} encrypted with the newest key`);
  if (unreadable === 0) return;
  throw new StartupError(
    `${unreadable} cannot be decrypted: add the earlier secret to SESSION_SECRET_PREVIOUS or ENCRYPTION_KEY_PREVIOUS and run this again`,
  );
});
