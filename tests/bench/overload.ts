import { closedLoop, openLoop, type Sent, summarize } from "#tests/support/servers/open-loop.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import type { Row } from "./support/pairs.ts";

const milliseconds = 12_000;
const loads = [0.25, 0.5, 1, 2, 4, 6];

/**
 * Offered load against completed requests, for a mix of pages, calls and uploads that arrive whether or not those
 * before are answered. The capacity is the throughput of sixteen clients that wait for their responses. Prints the
 * whole table; the rows say the goals.
 */
export async function* overload({ server, cookies }: BenchWorld): AsyncGenerator<Row> {
  const load = { origin: server.origin, next: mixOf(cookies, await audiencesOf(server.origin, cookies.publisher)) };
  await closedLoop(load, { at: 16, milliseconds: 4_000 });
  const best = summarize(await closedLoop(load, { at: 16, milliseconds }), milliseconds);
  console.info(`capacity ${best.goodPerSecond.toFixed(0)}/s, p50 ${best.p50} ms, p99 ${best.p99} ms`);
  console.info("offered   answered/s   p50 ms   p99 ms   uploads' p99    503   other failures");
  for (const times of loads) {
    const perSecond = times * best.goodPerSecond;
    const seen = summarize(await openLoop(load, { perSecond, milliseconds }), milliseconds);
    const cells = [
      seen.goodPerSecond.toFixed(0).padStart(10),
      String(seen.p50).padStart(8),
      String(seen.p99).padStart(8),
      String(seen.uploadsP99).padStart(14),
    ];
    const ends = [String(seen.refused).padStart(6), String(seen.failed).padStart(8)];
    console.info(`${times.toFixed(2).padStart(5)}x  ${[...cells, ...ends].join(" ")}`);
    for (const [what, count] of Object.entries(seen.failures)) console.info(`        ${count} × ${what}`);
    if (times !== 4) continue;
    yield {
      row: "19",
      work: "answered at four times capacity, of the best",
      reached: `${((100 * seen.goodPerSecond) / best.goodPerSecond).toFixed(0)} %`,
      goal: "80 %",
    };
    yield { row: "19", work: "p99 of what was accepted there", reached: `${seen.p99} ms`, goal: "2,000 ms" };
    yield { row: "19", work: "failures there that are no 503", reached: String(seen.failed), goal: "0" };
  }
}

function mixOf({ advertiser, publisher }: BenchWorld["cookies"], audiences: string[]): (n: number) => Sent {
  const [buyer, seller] = [{ Cookie: advertiser }, { Cookie: publisher }];
  const mix: Sent[] = [
    { path: "/advertiser/dashboard", headers: buyer },
    { path: "/api/campaigns", headers: buyer },
    { path: "/publisher/approval", headers: seller },
    { path: "/advertiser/campaigns", headers: buyer },
    { path: "/api/me", headers: seller },
    { path: "/advertiser/analytics", headers: buyer },
    { path: "/publisher/dashboard", headers: seller },
    { path: "/api/audiences", headers: seller },
    { path: "/advertiser/audiences/reach", headers: buyer },
  ];
  const addresses = Array.from({ length: 200 }, (_, n) => `person${n}@example.org`).join("\n");
  return (n) => {
    if (n % 20 !== 19) return mix[n % mix.length] ?? mix[0] ?? { path: "/" };
    const boundary = "----overload";
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\nContent-Type: text/csv\r\n\r\nemail\n${addresses}\r\n--${boundary}--\r\n`;
    const headers = { ...seller, "Content-Type": `multipart/form-data; boundary=${boundary}` };
    return {
      method: "POST",
      path: `/api/audiences/${audiences[Math.floor(n / 20) % audiences.length]}/uploads`,
      headers,
      body,
    };
  };
}

async function audiencesOf(origin: string, cookie: string): Promise<string[]> {
  const response = await fetch(`${origin}/api/audiences`, { headers: { Cookie: cookie } });
  const { audiences }: { audiences: { id: string }[] } = await response.json();
  if (audiences.length === 0) throw new Error("The publisher has no audience");
  return audiences.map(({ id }) => id);
}
