import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { endpoints } from "#app/api/endpoints.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import type { RouteVisits } from "#tests/routes/route-visits.ts";
import { addressOf, expensiveBodies, smallBodies, sweptScreens } from "#tests/routes/swept-requests.ts";

type Caller = "northwind" | "harbor" | "operator";

/**
 * A screen, form or call. What changes something has the path and body of rows of its own for each time that it is
 * sent.
 */
export type Target = {
  name: string;
  caller: Caller;
  method: string;
  type: string;
  /** Whether it writes all that the account has, and so takes longer the more there is. */
  isExport: boolean;
  sends: { path: string; body: string | undefined }[];
};

/** A regular expression of the names to measure, such as `^GET /advertiser/billing|^job`: `BENCH_NAMES`. */
const wanted = process.env.BENCH_NAMES === undefined ? undefined : new RegExp(process.env.BENCH_NAMES);

/** Whether only some are measured: more often then, and each is printed. */
export const isRestricted = wanted !== undefined;

/** Whether the screen, form, call or job of that name is to be measured. */
export function isWanted(name: string): boolean {
  return wanted?.test(name) ?? true;
}

/** Returns the pages before deletions of what all campaigns show. */
export function pagesOf(shown: Record<"creatives" | "products", string[]>, times: number): Target[] {
  return Object.entries(shown).flatMap(([kind, [id]]) => {
    const path = `/advertiser/${kind}/${id}/delete`;
    const name = `GET /advertiser/${kind}/:id/delete of what is shown`;
    const sends = Array.from({ length: times }, () => ({ path, body: undefined }));
    const page = { name, caller: "northwind" as const, method: "GET", type: form, isExport: false, sends };
    return isWanted(name) ? [page] : [];
  });
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";

/**
 * Returns every screen, form and call, each by every side that may send it, in an order that deletes last. `times` is
 * how often each will be sent; the rows are inserted now.
 */
export async function createTargets(
  visits: RouteVisits,
  { times, productIds, audienceId }: { times: number; productIds: readonly string[]; audienceId: AudienceId },
): Promise<Target[]> {
  const targets: Target[] = [];
  const add = async (
    { name, caller, method, type }: Pick<Target, "name" | "caller" | "method" | "type">,
    { path, bodyOf }: { path: string; bodyOf: (nth: number) => string | undefined },
  ) => {
    if (!isWanted(name)) return;
    const side = caller === "harbor" ? "/publisher" : "/advertiser";
    const sends: Target["sends"] = [];
    const first = await addressOf(visits, path, side);
    for (let nth = 0; nth < times; nth += 1) {
      const isSame = nth === 0 || method === "GET";
      sends.push({ path: isSame ? first : await addressOf(visits, path, side), body: bodyOf(nth) });
    }
    const isExport = method === "GET" && /export|copy$|\.csv$|\.pdf$|statement\/pdf/.test(path);
    targets.push({ name, caller, method, type, isExport, sends });
  };

  for (const { path, file } of sweptScreens) {
    const caller = path.startsWith("/publisher") ? "harbor" : "northwind";
    const text = readFileSync(resolve(import.meta.dirname, "../../../app", file), "utf8");
    const has = (handler: string) => new RegExp(`^export\\b.*\\b${handler}\\b`, "m").test(text);
    if (has("loader") || has("default")) {
      await add({ name: `GET ${path}`, caller, method: "GET", type: form }, { path, bodyOf: () => undefined });
    }
    if (!has("action")) continue;
    const bodyOf = (nth: number) => `intent=pause&name=Typed${nth}`;
    await add({ name: `POST ${path}`, caller, method: "POST", type: form }, { path, bodyOf });
  }

  const bodies: Record<string, unknown>[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    bodies.push({ ...smallBodies(nth), ...(await expensiveBodies(visits, { audienceId, productIds, nth })) });
  }
  const isDelete = (name: string) => Number(name.startsWith("DELETE "));
  const names = Object.keys(endpoints).filter((name) => !name.endsWith("/logout"));
  for (const name of names.sort((one, other) => isDelete(one) - isDelete(other))) {
    const [method = "", path = ""] = name.split(" ");
    const isOperators = /operator|delivery-reports/.test(path);
    const hasBody = method !== "GET" && method !== "DELETE";
    const bodyOf = (nth: number) => (hasBody ? JSON.stringify(bodies[nth]?.[name] ?? {}) : undefined);
    for (const caller of isOperators ? (["operator"] as const) : (["northwind", "harbor"] as const)) {
      await add({ name: `${name} by ${caller}`, caller, method, type: json }, { path, bodyOf });
    }
  }
  return targets;
}
