import { expect, test } from "vitest";
import { AccountTurns } from "#app/domain/account-turns.ts";
import { type AccountId, newId } from "#app/domain/ids.ts";

const [ann, bea, cid] = [newId<AccountId>(), newId<AccountId>(), newId<AccountId>()];
const nameOf = (account: AccountId) => (account === ann ? "ann" : account === bea ? "bea" : "cid");

/** Work of each account, all asked for at once; `end` ends the oldest that has begun. */
function begin(turns: AccountTurns, accounts: readonly AccountId[]) {
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const all = accounts.map((account) =>
    turns.run(account, () => {
      begun.push(nameOf(account));
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { all, begun: () => settled().then(() => begun.splice(0)), end: () => ends.shift()?.() };
}

test("work of different accounts is done at once up to the limit, and that of one in order", async () => {
  const { begun, end } = begin(new AccountTurns(2), [ann, ann, bea, cid]);
  expect(await begun()).toEqual(["ann", "bea"]);
  end();
  expect(await begun()).toEqual(["cid"]);
  end();
  expect(await begun()).toEqual(["ann"]);
});

test("much work of one account delays another's by one piece, and all of it is done", async () => {
  const { all, begun, end } = begin(new AccountTurns(1), [ann, ann, ann, bea, bea, cid]);
  const order = await begun();
  for (let turn = 1; turn <= 6; turn += 1) {
    end();
    order.push(...(await begun()));
  }
  expect(order).toEqual(["ann", "bea", "cid", "ann", "bea", "ann"]);
  await Promise.all(all);
});

test("work that fails ends its turn", async () => {
  const turns = new AccountTurns(1);
  const failed = turns.run(ann, () => Promise.reject(new Error("it fails")));
  const next = turns.run(bea, async () => "done");
  await expect(failed).rejects.toThrow("it fails");
  expect(await next).toBe("done");
});
