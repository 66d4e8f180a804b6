import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { closedLoop, summarize } from "#tests/support/servers/open-loop.ts";
import { testSecret } from "#tests/support/test-secret.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { median, type Row, rounds, secondsOf } from "./support/pairs.ts";

const milliseconds = 4_000;
const people = 300;
/** Three lots are drawn from the database for each person; an account's own share is not used up. */
const requestsOfEach = 200;

/**
 * Measures what rate limits cost a request, draws from the database included, against the time of `GET
 * /api/users/me`.
 */
export async function limits({ server, cookies, databaseUrl }: BenchWorld): Promise<Row[]> {
  const load = {
    origin: server.origin,
    next: () => ({ path: "/api/users/me", headers: { Cookie: cookies.advertiser } }),
  };
  await closedLoop(load, { at: 16, milliseconds });
  const { goodPerSecond } = summarize(await closedLoop(load, { at: 16, milliseconds }), milliseconds);

  process.env.SESSION_SECRET = testSecret;
  const { spendBudgets } = await import("#app/web/rate-limits/spend-budgets.server.ts");
  openDatabase({ url: databaseUrl });
  const context = { nonce: "", requestId: "", clientAddress: "192.0.2.1", setHeaders: () => undefined };
  let count = 0;
  const spend = async () => {
    for (let person = 0; person < people; person += 1) {
      count += 1;
      const payers = [
        { kind: "person", id: `person-${count}` } as const,
        { kind: "account", id: `account-${count}` } as const,
      ];
      for (let count = 0; count < requestsOfEach; count += 1) await spendBudgets(context, "read", payers);
    }
  };
  const [seconds, processorSeconds]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const begin = process.cpuUsage();
    seconds.push(await secondsOf(spend));
    const { user, system } = process.cpuUsage(begin);
    processorSeconds.push((user + system) / 1e6);
  }
  await closeDatabase();
  const reachedBy = (spent: readonly number[]) => {
    const each = median(spent) / (people * requestsOfEach);
    return `${(each * 1e6).toFixed(1)} µs, ${(each * goodPerSecond * 100).toFixed(2)} %`;
  };
  const work = "what a request pays for its limits, of GET /api/users/me";
  return [
    { row: "10", work: `${work}, with waiting for draws`, reached: reachedBy(seconds), goal: "≤ 3 %" },
    // While one request waits for a draw, the server answers others.
    { row: "10", work: `${work}, processor time`, reached: reachedBy(processorSeconds), goal: "≤ 3 %" },
  ];
}
