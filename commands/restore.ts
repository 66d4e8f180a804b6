import { join } from "node:path";
import { env } from "#app/env.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/**
 * `npm run restore -- FILE`: restores an archive of `npm run backup` into an empty database and the storage of files.
 */
export default databaseCommand(async ({ args, ownerUrl }) => {
  const [path, ...more] = args;
  if (!path || more.length > 0) throw new StartupError("Usage: npm run restore -- FILE");
  if (env().isSessionSecretNew) printNote(newSecretWarning());
  const contents = await restoreBackup(path, { ownerUrl, storage: await fileStorage() });
  print(`${describeContents(contents)} restored from ${path}`);
});

/**
 * Printed before anything is restored: a restore that is run again after an interruption finds the secret of the first.
 */
function newSecretWarning(): string {
  const path = join(env().dataDir, "session-secret");
  return `Warning: SESSION_SECRET is not set and ${path} did not exist, so a new secret was generated.
What the backup's installation encrypted with its own secret cannot be decrypted with the new one: credentials of integrations, channels, stores, webhooks and payment methods, names and postal codes of people, and people in objects. Links in the emails that it sent do not work.
Before a server starts, set SESSION_SECRET and ENCRYPTION_KEY as in that installation, or put its file session-secret in place of ${path}.`;
}
