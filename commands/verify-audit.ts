import { verifyAuditChain } from "#app/domain/audit/chain/verify-audit-chain.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/** The maximum number of faults that are printed; further ones are counted. */
const maxLines = 1_000;

/**
 * `npm run audit:verify [-- --expect HASH@NUMBER]`: verifies the audit trail against its hash chain. Prints the newest
 * block's hash, which should be recorded outside this machine; a later run with `--expect` checks that the chain still
 * contains it. Prints the faults and exits with 1 if there are any.
 */
export default databaseCommand(async ({ ctx, args }) => {
  const expected = readExpected(args);
  let faults = 0;
  const report = await verifyAuditChain(ctx, {
    expected,
    onFault: ({ block, entry, problem }) => {
      faults += 1;
      const place = [block && `block ${block}`, entry && `entry ${entry}`].filter(Boolean).join(", ");
      if (faults <= maxLines) printNote(place ? `${place}: ${problem}` : problem);
    },
  });
  print(`Blocks: ${report.blocks}, sealed entries: ${report.sealed}, pending entries: ${report.waiting}`);
  if (report.newest) print(`Newest block: ${report.newest.hash}@${report.newest.number}`);
  if (faults > 0)
    throw new StartupError(`Audit trail verification failed: ${faults} ${faults === 1 ? "fault" : "faults"}`);
  print("Audit trail verified");
});

function readExpected(args: readonly string[]): { number: number; hash: string } | undefined {
  if (args.length === 0) return undefined;
  const [flag, value, ...more] = args;
  const [, hash, number] = /^([0-9a-f]{64})@([1-9]\d{0,14})$/.exec(value ?? "") ?? [];
  if (flag !== "--expect" || !hash || !number || more.length > 0) {
    throw new StartupError("Usage: npm run audit:verify [-- --expect HASH@NUMBER]");
  }
  return { number: Number(number), hash };
}
