import type { AccountType } from "#app/domain/accounts/account.ts";
import { findUserByEmail } from "#app/domain/accounts/find-user-by-email.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { copyPersonalData } from "#app/domain/privacy/copy-personal-data.server.ts";
import { describeErasureBlocker, type ErasureBlocker } from "#app/domain/privacy/erasure.ts";
import { findErasure } from "#app/domain/privacy/find-erasure.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print } from "./command.ts";

/** `npm run people -- copy EMAIL | erase EMAIL [--now [--with-debt]] | cancel EMAIL` */
const usage = "Usage: npm run people -- copy EMAIL | erase EMAIL [--now [--with-debt]] | cancel EMAIL";

export default databaseCommand(async ({ ctx, args }) => {
  const [verb, email, ...options] = args;
  const isImmediate = verb === "erase" && ["--now", "--now --with-debt"].includes(options.join(" "));
  const acceptsDebt = options.length === 2;
  if (!email || (options.length > 0 && !isImmediate)) throw new StartupError(usage);
  const user = await findUserByEmail(ctx, { email });
  if (!user) throw new StartupError(`No person found for ${email}`);
  const { userId, accountType } = user;
  switch (verb) {
    case "copy":
      for await (const piece of copyPersonalData(ctx, { userId })) process.stdout.write(piece);
      return;
    case "erase": {
      const { dueAt } = await requestErasure(ctx, { userId, isImmediate, acceptsDebt });
      if (!isImmediate) return print(`${email} will be erased on ${formatDate(dueAt)}`);
      await runDueErasures(ctx, acceptsDebt ? { acceptsDebtOf: userId } : {});
      const open = await findErasure(ctx, { userId });
      if (open) throw new StartupError(describeOpenErasure({ email, accountType, ...open }));
      return print(`${email} is erased`);
    }
    case "cancel": {
      const { changed } = await cancelErasure(ctx, { userId });
      return print(changed ? `The request of ${email} is canceled` : `${email} has no open request`);
    }
    default:
      throw new StartupError(usage);
  }
});

type OpenErasure = { email: string; accountType: AccountType | null; blockers: readonly ErasureBlocker[]; dueAt: Date };

/** The errors of an erasure that fails are printed before. */
function describeOpenErasure({ email, accountType, blockers, dueAt }: OpenErasure): string {
  const reasons = accountType === null ? [] : blockers.map((one) => describeErasureBlocker(one, accountType));
  const again = `It is tried again on ${formatDate(dueAt)}.`;
  return [`${email} is not erased yet.`, ...reasons, again].join(" ");
}
