import type { AccountType } from "#app/domain/accounts/account.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { copyPersonalData } from "#app/domain/privacy/copy-personal-data.server.ts";
import { describeErasureBlocker, type ErasureBlocker } from "#app/domain/privacy/erasure.ts";
import { findErasure } from "#app/domain/privacy/find-erasure.server.ts";
import { findPerson } from "#app/domain/privacy/find-person.server.ts";
import { listErasures } from "#app/domain/privacy/list-erasures.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/** `npm run people -- copy EMAIL_OR_ID | erase EMAIL_OR_ID [--now [--with-debt]] | cancel EMAIL_OR_ID | erasures` */
const usage =
  "Usage: npm run people -- copy EMAIL_OR_ID | erase EMAIL_OR_ID [--now [--with-debt]] | cancel EMAIL_OR_ID | erasures";

export default databaseCommand(async ({ ctx, args }) => {
  const [verb, emailOrId, ...options] = args;
  if (verb === "erasures" && !emailOrId) return printErasures(ctx);
  const isImmediate = verb === "erase" && ["--now", "--now --with-debt"].includes(options.join(" "));
  const acceptsDebt = options.length === 2;
  if (!emailOrId || (options.length > 0 && !isImmediate)) throw new StartupError(usage);
  const person = await findPerson(ctx, { emailOrId });
  // After a restore, the list of erasures has people who were erased before the backup too.
  if (person?.erasedAt && verb === "erase") return print(`${emailOrId} is already erased`);
  if (!person || person.erasedAt) throw new StartupError(`No person found for ${emailOrId}`);
  const { userId, accountType } = person;
  switch (verb) {
    case "copy":
      for await (const piece of copyPersonalData(ctx, { userId })) process.stdout.write(piece);
      return;
    case "erase": {
      const { dueAt } = await requestErasure(ctx, { userId, isImmediate, acceptsDebt });
      if (!isImmediate) return print(`${emailOrId} will be erased on ${formatDate(dueAt)}`);
      await runDueErasures(ctx, acceptsDebt ? { acceptsDebtOf: userId } : {});
      const open = await findErasure(ctx, { userId });
      if (open) throw new StartupError(describeOpenErasure({ emailOrId, accountType, ...open }));
      return print(`${emailOrId} is erased`);
    }
    case "cancel": {
      const { changed } = await cancelErasure(ctx, { userId });
      return print(changed ? `The request of ${emailOrId} is canceled` : `${emailOrId} has no open request`);
    }
    default:
      throw new StartupError(usage);
  }
});

/** Prints each request by the person's ID, because a name or an address would outlast the erasure in the list. */
async function printErasures(ctx: Ctx<OperatorActor>): Promise<void> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await listErasures(ctx, { limit: 500, cursor });
    for (const { userId, dueAt, completedAt } of page.rows)
      print([userId, completedAt ? "erased" : "due", (completedAt ?? dueAt).toISOString()].join("\t"));
    if (!cursor && page.rows.length === 0) printNote("No erasures");
    cursor = page.nextCursor;
  }
}

type OpenErasure = {
  emailOrId: string;
  accountType: AccountType | null;
  blockers: readonly ErasureBlocker[];
  dueAt: Date;
};

/** The errors of an erasure that fails are printed before. */
function describeOpenErasure({ emailOrId, accountType, blockers, dueAt }: OpenErasure): string {
  const reasons = accountType === null ? [] : blockers.map((one) => describeErasureBlocker(one, accountType));
  const again = `It is tried again on ${formatDate(dueAt)}.`;
  return [`${emailOrId} is not erased yet.`, ...reasons, again].join(" ");
}
