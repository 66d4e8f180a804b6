import { describe, expect, test } from "vitest";
import { openLagHistory, parseLsn } from "#db/replica/lag-history.ts";
import { replicaTrouble } from "#db/replica/replica-trouble.ts";

describe("the history of a replica's lag", () => {
  test("dates the replica by the newest beat that it has replayed", () => {
    const history = openLagHistory();
    expect(history.asOf()).toBeUndefined();
    history.replayed(1_000n);
    expect(history.asOf()).toBeUndefined();
    for (const [at, lsn] of [
      [1, 1_100n],
      [2, 1_200n],
      [3, 1_300n],
    ] as const)
      history.add({ at, lsn });
    history.replayed(1_099n);
    expect(history.asOf()).toBeUndefined();
    history.replayed(1_200n);
    expect(history.asOf()).toBe(2);
    // Nothing new was replayed, so that the lag grows.
    history.replayed(1_299n);
    expect(history.asOf()).toBe(2);
    history.replayed(9_999n);
    expect(history.asOf()).toBe(3);
  });

  test("of more than an hour of beats keeps the newest, and never dates the replica too late", () => {
    const history = openLagHistory();
    for (let at = 1; at <= 4_000; at += 1) history.add({ at, lsn: BigInt(at) });
    history.replayed(300n);
    expect(history.asOf()).toBeUndefined();
    history.replayed(500n);
    expect(history.asOf()).toBe(500);
  });

  test.each([
    ["0/0", 0n],
    ["0/15012A0", 0x15012a0n],
    ["16/B374D848", 0x16b374d848n],
    ["FFFFFFFF/FFFFFFFF", 0xffffffffffffffffn],
  ])("reads %s", (text, lsn) => expect(parseLsn(text)).toBe(lsn));

  test.each(["", "0", "0/", "x/1", "1/1/1"])("refuses %j as a place in the log", (text) => {
    expect(() => parseLsn(text)).toThrow("is no pg_lsn");
  });
});

describe("an error on a replica", () => {
  const failed = (code: string, message = "failed") =>
    new Error("Failed query", { cause: Object.assign(new Error(message), { code }) });

  test.each([
    ["conflict", "40001", "canceling statement due to conflict with recovery"],
    ["conflict", "40P01", "deadlock detected"],
    ["conflict", "57014", "canceling statement due to user request"],
    ["conflict", "42P01", 'relation "report_schedules" does not exist'],
    ["unavailable", "57P01", "terminating connection due to administrator command"],
    ["unavailable", "53300", "too many connections"],
    ["unavailable", "CONNECTION_CLOSED", "write CONNECTION_CLOSED"],
    ["unavailable", "ECONNREFUSED", "connect ECONNREFUSED"],
    ["unavailable", "DATABASE_DEADLINE", "The database did not respond"],
    [undefined, "57014", "canceling statement due to statement timeout"],
    [undefined, "22P02", "invalid input syntax"],
    [undefined, "25006", "cannot execute INSERT in a read-only transaction"],
  ])("is %s: %s, %s", (trouble, code, message) => {
    expect(replicaTrouble(failed(code, message))).toBe(trouble);
  });

  test("of our own is not the replica's", () => {
    expect(replicaTrouble(new Error("not_found"))).toBeUndefined();
    expect(replicaTrouble(Object.assign(new Error("disk full"), { code: "ENOSPC" }))).toBeUndefined();
  });
});
