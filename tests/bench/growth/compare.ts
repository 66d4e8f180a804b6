import { withDeadline } from "#db/client.server.ts";
import { jobs } from "#server/jobs/jobs.ts";
import { secondsOf, times } from "../support/pairs.ts";
import { isRestricted, isWanted, type Target } from "./targets.ts";
import { type GrowthWorld, jobCtx, progress, type Side } from "./world.ts";

/** The ratio that nothing but an export may exceed. */
export const goal = 1.5;
const rounds = isRestricted ? { all: 7, again: 15 } : { all: 3, again: 7 };

/** How often a target is sent to each side in one comparison: warmed up and measured, twice where it seems to grow. */
export const sendsPerComparison = 2 + rounds.all + rounds.again;

export type Measured = Pick<Work, "name" | "isExport"> & {
  smallMs: number;
  largeMs: number;
  ratio: number;
  /** The response's status, on both sides where they differ; `failed` for a job. */
  status: string;
};

type Work = { name: string; isExport: boolean; run: (side: Side, nth: number) => Promise<string> };

/**
 * Measures every target and job on both sides in turn. `offset` is the first of the sends that the comparison may use.
 * What seems to grow is measured again with more rounds, which replace the first.
 */
export async function compareSides(world: GrowthWorld, offset: number): Promise<Measured[]> {
  const works: Work[] = [
    ...world.targets.map((target) => requestWork(world, target, offset)),
    ...jobs.map(({ name, run }) => ({
      name: `job ${name}`,
      isExport: false,
      run: async ({ db }: Side) => {
        await run(withDeadline(jobCtx(db, name), 60_000));
        return "done";
      },
    })),
  ].filter(({ name }) => isWanted(name));
  const measured: Measured[] = [];
  for (const work of works) {
    const first = await measure(world, work, { from: 0, count: work.isExport ? 1 : rounds.all });
    const seemsToGrow = first.ratio > goal && !first.isExport;
    const again = { from: 1 + rounds.all, count: rounds.again };
    const last = seemsToGrow ? await measure(world, work, again) : first;
    measured.push(last);
    if (isRestricted) console.info(describeMeasured(last));
    if (measured.length % 100 === 0) progress(`${measured.length} of ${works.length} were measured on both sides`);
  }
  return measured;
}

function requestWork({ headers }: GrowthWorld, target: Target, offset: number): Work {
  const { name, isExport, method, type, caller } = target;
  return {
    name,
    isExport,
    async run({ server }, nth) {
      const { path = "/", body } = target.sends[offset + nth] ?? {};
      const sent = { ...headers[caller], Origin: server.origin, ...(body !== undefined && { "Content-Type": type }) };
      const init = { method, headers: sent, redirect: "manual" } as const;
      const response = await fetch(server.origin + path, body === undefined ? init : { ...init, body });
      await response.arrayBuffer();
      return String(response.status);
    },
  };
}

async function measure(
  { small, large }: GrowthWorld,
  { name, isExport, run }: Work,
  { from, count }: { from: number; count: number },
): Promise<Measured> {
  const seen = { small: new Set<string>(), large: new Set<string>() };
  const sides = { small, large };
  const timed = async (side: "small" | "large", nth: number): Promise<number> => {
    let status = "failed";
    const seconds = await secondsOf(async () => {
      status = await run(sides[side], nth).catch((error: unknown) => `failed: ${String(error)}`);
    });
    seen[side].add(status);
    return seconds * 1_000;
  };
  // What is done once may take all that the account has, such as a payout.
  for (const side of ["small", "large"] as const) {
    const firstMs = await timed(side, from);
    if (firstMs > 1_000) progress(`${name} took ${(firstMs / 1_000).toFixed(1)} s the first time (${side})`);
  }
  const ms: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let nth = from + 1; nth <= from + count; nth += 1) {
    const order = nth % 2 === 0 ? (["small", "large"] as const) : (["large", "small"] as const);
    for (const side of order) ms[side].push(await timed(side, nth));
  }
  // The fastest of each side is the work itself; the others have waited for what else the machine does.
  const [smallMs, largeMs] = [Math.min(...ms.small), Math.min(...ms.large)];
  const [one, other] = [[...seen.small].join(","), [...seen.large].join(",")];
  return {
    name,
    isExport,
    smallMs,
    largeMs,
    ratio: largeMs / smallMs,
    status: one === other ? one : `${one} ≠ ${other}`,
  };
}

/** Returns the measurement as one line of text. */
export function describeMeasured({ name, smallMs, largeMs, ratio, status }: Measured): string {
  return `${name.padEnd(70)} ${smallMs.toFixed(1)} → ${largeMs.toFixed(1)} ms, ${times(ratio)}  ${status}`;
}
