import { StartupError } from "#app/startup-error.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { print, runCommand } from "./command.ts";

/** `npm run restore -- FILE`: restores an archive of `npm run backup` into an empty database and the storage of files. */
await runCommand(async (_ctx, { ownerUrl }) => {
  const [path, ...more] = process.argv.slice(2);
  if (!path || more.length > 0) throw new StartupError("Usage: npm run restore -- FILE");
  const contents = await restoreBackup(path, { ownerUrl, storage: await fileStorage() });
  print(`${describeContents(contents)} restored from ${path}`);
});
