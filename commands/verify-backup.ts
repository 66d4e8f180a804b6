import { StartupError } from "#app/startup-error.ts";
import { describeContents } from "./backup/describe-contents.ts";
import { verifyBackup } from "./backup/verify-backup.ts";
import { plainCommand, print } from "./command.ts";

/** `npm run backup:verify -- FILE`: reads an archive of `npm run backup` and compares it with its checksums. */
export default plainCommand(async (args) => {
  const [path, ...more] = args;
  if (!path || more.length > 0) throw new StartupError("Usage: npm run backup:verify -- FILE");
  const { manifest, checksums } = await verifyBackup(path);
  print(`${describeContents(checksums)} of ${manifest.createdAt} verified`);
});
