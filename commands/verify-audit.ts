import { verifyAuditChain } from "#app/domain/audit/chain/verify-audit-chain.server.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/** Lines that say what is wrong; what is beyond is counted. */
const maxLines = 1_000;

/**
 * `npm run audit:verify [-- --expect HASH@NUMBER]`: whether the audit trail is as it was sealed. Prints the newest block's hash, to be
 * noted outside of this machine; a later run that expects it sees that the chain still has it. Ends with 1 and says what does not fit.
 */
await runCommand(async (ctx) => {
  const expected = readExpected(process.argv.slice(2));
  let faults = 0;
  const report = await verifyAuditChain(ctx, {
    expected,
    onFault: ({ block, entry, problem }) => {
      faults += 1;
      const place = [block && `block ${block}`, entry && `entry ${entry}`].filter(Boolean).join(", ");
      if (faults <= maxLines) console.error(place ? `${place}: ${problem}` : problem);
    },
  });
  print(
    `Blocks: ${report.blocks}, sealed entries: ${report.sealed}, entries that wait for the next block: ${report.waiting}`,
  );
  if (report.newest) print(`Newest block: ${report.newest.hash}@${report.newest.number}`);
  if (faults > 0)
    throw new StartError(`The audit trail is not as it was sealed: ${faults} ${faults === 1 ? "fault" : "faults"}`);
  print("The audit trail is as it was sealed");
});

function readExpected(args: string[]): { number: number; hash: string } | undefined {
  if (args.length === 0) return undefined;
  const [flag, value, ...more] = args;
  const [, hash, number] = /^([0-9a-f]{64})@([1-9]\d{0,14})$/.exec(value ?? "") ?? [];
  if (flag !== "--expect" || !hash || !number || more.length > 0) {
    throw new StartError("Usage: npm run audit:verify [-- --expect HASH@NUMBER]");
  }
  return { number: Number(number), hash };
}
