import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { useDistributedWorld } from "./distributed-world.ts";

const portals = { northwind: "/advertiser", harbor: "/publisher" } as const;
type Who = keyof typeof portals;

describe("where facts are distributed", () => {
  const { db, world, id, workers } = useDistributedWorld();
  const cookies: Partial<Record<Who, string>> = {};
  let server: AppServer;

  beforeAll(async () => {
    for (const who of ["northwind", "harbor"] as const) cookies[who] = await world().cookieOf(who);
    server = await startAppServer({ databaseUrl: db.ownerUrl(), environment: { RATE_LIMITS: "off" } });
  });
  afterAll(async () => {
    workers().restore();
    await server.stop();
  });

  async function get(who: Who, path: string) {
    const begun = performance.now();
    const response = await fetch(server.origin + path, { headers: { cookie: cookies[who] ?? "" } });
    const text = await response.text();
    return { status: response.status, text, ms: performance.now() - begun };
  }

  /**
   * Every page of a portal that its own pages link to, as it is read: without scripts and what each response has of its
   * own.
   */
  async function crawl(who: Who): Promise<{ pages: Map<string, string>; slowestMs: number }> {
    const pages = new Map<string, string>();
    const paths = [portals[who], `${portals[who]}/campaigns/${id()}`];
    let slowestMs = 0;
    for (const path of paths) {
      const { status, text, ms } = await get(who, path);
      slowestMs = Math.max(slowestMs, ms);
      pages.set(path, `${status} ${contentOf(text)}`);
      for (const [, link = ""] of text.matchAll(/href="([^"#]+)/g)) {
        const next = link.replaceAll("&amp;", "&");
        const isPage = next.startsWith(`${portals[who]}/`) && !/export|\.(csv|pdf)\b|download|\/file/.test(next);
        if (isPage && !paths.includes(next) && paths.length < mostPages) paths.push(next);
      }
    }
    return { pages, slowestMs };
  }

  test("every page and file of both portals is as before without workers, lost or hanging, and the server is ready", async () => {
    const before = { northwind: await crawl("northwind"), harbor: await crawl("harbor") };
    for (const who of ["northwind", "harbor"] as const) {
      expect(before[who].pages.size).toBeGreaterThan(40);
      expect([...before[who].pages.values()].filter((page) => !page.startsWith("200 "))).toEqual([]);
    }
    for (const fault of ["lose", "hang"] as const) {
      workers()[fault]();
      for (const who of ["northwind", "harbor"] as const) {
        const { pages, slowestMs } = await crawl(who);
        expect(Object.fromEntries(pages)).toEqual(Object.fromEntries(before[who].pages));
        expect(slowestMs).toBeLessThan(4_500);
      }
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
      for (const [who, file] of files)
        expect([file, (await get(who, portals[who] + file)).status]).toEqual([file, 200]);
      workers().restore();
    }
    expect(server.output()).not.toMatch(/"level":"error"/);
  }, 300_000);
});

const mostPages = 120;
const files = [
  ["northwind", "/analytics/export"],
  ["northwind", "/billing/statements/export.csv"],
  ["northwind", "/billing/statements/statement.pdf"],
  ["harbor", "/analytics/export"],
  ["harbor", "/billing/statements/export.csv"],
] as const;

function contentOf(html: string): string {
  return (
    html
      .replaceAll(/<script\b.*?<\/script>/gs, "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\b(just now|a moment ago|\d+ minutes? ago)\b/gi, "AGO")
      // Examples of calls have an Idempotency-Key of their own each time.
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      .replaceAll(/\s+/g, " ")
  );
}
