import { StartupError } from "#app/startup-error.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { recordBackup } from "./backup/record-backup.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/** `npm run backup -- FILE`: writes the database and the uploaded files, as of one moment, to an archive. */
export default databaseCommand(async ({ ctx, args, ownerUrl }) => {
  const [path, ...more] = args;
  if (!path || more.length > 0) throw new StartupError("Usage: npm run backup -- FILE");
  const now = ctx.clock();
  const written = await writeBackup(path, { ownerUrl, storage: await fileStorage(), now });
  await recordBackup(ctx.db, now);
  print(`${describeContents(written)} written to ${path}`);
  const { creativesWithoutFile: lacking } = written;
  if (lacking > 0)
    printNote(
      `Creatives without a file in the storage of files: ${lacking}. They are deleted by now, or their files are lost.`,
    );
});
