import { StartupError } from "#app/startup-error.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { print, runCommand } from "./command.ts";

/** `npm run backup -- FILE`: writes the database and the uploaded files, as of one moment, to an archive. */
await runCommand(async (ctx, { ownerUrl }) => {
  const [path, ...more] = process.argv.slice(2);
  if (!path || more.length > 0) throw new StartupError("Usage: npm run backup -- FILE");
  const contents = await writeBackup(path, { ownerUrl, storage: await fileStorage(), now: ctx.clock() });
  print(`${describeContents(contents)} written to ${path}`);
});
