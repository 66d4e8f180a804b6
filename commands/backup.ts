import { hasAccounts } from "#app/domain/accounts/has-accounts.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { recordBackup } from "./backup/record-backup.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { databaseCommand, print, printNote } from "./command.ts";

const advice = "Run the command with the servers' settings: DATABASE_URL, or DATA_DIR with the embedded database.";

/**
 * `npm run backup -- FILE`: writes the database and the uploaded files, as of one moment, to an archive. Fails where
 * there is nothing to back up: the settings are then most likely not those of the servers.
 */
export default databaseCommand(
  async ({ ctx, args, ownerUrl }) => {
    const [path, ...more] = args;
    if (!path || more.length > 0) throw new StartupError("Usage: npm run backup -- FILE");
    if (!(await hasAccounts(ctx)))
      throw new StartupError(`There is nothing to back up: the database has no accounts. ${advice}`);
    const now = ctx.clock();
    const written = await writeBackup(path, { ownerUrl, storage: await fileStorage(), now });
    await recordBackup(ctx.db, now);
    print(`${describeContents(written)} written to ${path}`);
    const { creativesWithoutFile: lacking } = written;
    if (lacking > 0)
      printNote(
        `Creatives without a file in the storage of files: ${lacking}. They are deleted by now, or their files are lost.`,
      );
  },
  { withoutDatabase: `There is nothing to back up: there is no database yet. ${advice}` },
);
