import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** A guard taken out: `found`, which stands once in the file from `at` on, becomes `instead`; then one of the tests must fail, of a file or, behind a `#`, of a part of one. */
export type Mutant = { name: string; file: string; at: number; found: string; instead: string; tests: string[] };

type Named = Omit<Mutant, "name" | "at">;

/** Guards outside the domain, and those of it that are no refusal in words: each with the tests that are there for it. */
const named: Record<string, Named> = {
  "a portal is for its own side": {
    file: "app/domain/access/decide-access.ts",
    found: 'if (viewer.userType !== portal) return "denied";',
    instead: "",
    tests: ["tests/domain/access", "tests/routes/guard.test.ts"],
  },
  "an account must be approved": {
    file: "app/domain/access/decide-access.ts",
    found: 'viewer.status === "approved"',
    instead: "true",
    tests: ["tests/domain/access", "tests/routes/guard.test.ts"],
  },
  "a visitor must sign in": {
    file: "app/domain/access/decide-access.ts",
    found: 'if (!viewer) return "login";',
    instead: 'if (!viewer) return "granted";',
    tests: ["tests/domain/access", "tests/routes/guard.test.ts"],
  },
  "test mode can be off": {
    file: "app/portal/enter-portal.server.ts",
    found: "if (!env().testMode)",
    instead: "if (false)",
    tests: ["tests/routes/guard.test.ts", "tests/routes/guard-matrix.test.ts"],
  },
  "a session ends": {
    file: "app/domain/accounts/find-viewer.server.ts",
    found: 'gt(sessions.expiresAt, sql.placeholder("now")),',
    instead: 'eq(sql.placeholder("now"), sql.placeholder("now")),',
    tests: ["tests/domain/accounts"],
  },
  "a session ends unused": {
    file: "app/domain/accounts/find-viewer.server.ts",
    found: 'gt(sessions.lastSeenAt, sql.placeholder("idleSince")),',
    instead: 'eq(sql.placeholder("idleSince"), sql.placeholder("idleSince")),',
    tests: ["tests/domain/accounts"],
  },
  "a sign-in is this browser's": {
    file: "app/domain/accounts/find-sign-in-attempt.server.ts",
    found: "eq(signInAttempts.browserHash, hashSecret(browserSecret)),",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in consumes this browser's attempt alone": {
    file: "app/domain/accounts/consume-sign-in-attempt.server.ts",
    found: "eq(signInAttempts.browserHash, hashSecret(browserSecret)), ",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in has the state it began with": {
    file: "app/web/sign-in.server.ts",
    found: "const stateHash = state === undefined ?",
    instead: "const stateHash = true ?",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in lasts ten minutes": {
    file: "app/domain/accounts/find-sign-in-attempt.server.ts",
    found: "gt(signInAttempts.createdAt, new Date(ctx.clock().getTime() - signInAttemptLife)),",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in is taken once": {
    file: "app/domain/accounts/consume-sign-in-attempt.server.ts",
    found: "isNull(signInAttempts.usedAt)",
    instead: "undefined",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "an address must be verified": {
    file: "app/domain/accounts/sign-in-user.server.ts",
    found: "!emailVerified || ",
    instead: "",
    tests: ["tests/domain/accounts", "tests/routes/sign-in.test.ts"],
  },
  "sign-ins are counted": {
    file: "app/domain/access/take-token.server.ts",
    found: "if (drawn > 0) return;",
    instead: "return;",
    tests: ["tests/domain/access"],
  },
  "a revoked key is no key": {
    file: "app/domain/api-keys/find-key-holder.server.ts",
    found: ", isNull(apiKeys.revokedAt)",
    instead: "",
    tests: ["tests/api/tenant-calls.test.ts"],
  },
  "a bad key is not healed by a cookie": {
    file: "app/api/callers.server.ts",
    found: 'if (!holder) throw new DomainError("unauthenticated", "This key is not known, or was revoked");',
    instead: "if (!holder) return { viewer: await findViewer(visit.request, visit.context) };",
    tests: ["tests/api/authorization.test.ts"],
  },
  "an operator's call needs an operator's key": {
    file: "app/api/callers.server.ts",
    found: 'if (holder?.role !== "operator") throw',
    instead: 'if (holder?.role !== "operator") void',
    tests: ["tests/api/authorization.test.ts"],
  },
  "what a person must do, no key does": {
    file: "app/api/call.server.ts",
    found: "if (!keys) await refuseKeys(visit);",
    instead: "",
    tests: ["tests/api/authorization.test.ts", "tests/api/tenant-calls.test.ts"],
  },
  "a repetition has no second effect": {
    file: "app/domain/idempotency/do-once.server.ts",
    found: "if (!(await takeKey(inside, once, requestHash)))",
    instead: "if ((await takeKey(inside, once, requestHash)) && false)",
    tests: ["tests/api/idempotency.test.ts"],
  },
  "a key is for one request": {
    file: "app/domain/idempotency/do-once.server.ts",
    found: "if (first?.requestHash !== requestHash)",
    instead: "if (!first)",
    tests: ["tests/api/idempotency.test.ts"],
  },
  "the keys of two callers never meet": {
    file: "app/api/call.server.ts",
    found: "{ caller: entry.repeats, key",
    instead: '{ caller: "all", key',
    tests: ["tests/api/idempotency.test.ts"],
  },
  "a way back stays here": {
    file: "app/web/redirects.ts",
    found: "!/^\\/(?![/\\\\])/.test(text) || /[\\p{Cc}\\p{Cs}\\\\]/u.test(text)",
    instead: "false",
    tests: ["tests/web/redirects.test.ts"],
  },
  "dots make no way out": {
    file: "app/web/redirects.ts",
    found: ' || url.pathname.startsWith("//")',
    instead: "",
    tests: ["tests/web/redirects.test.ts"],
  },
  "a cell is no formula": {
    file: "app/web/csv.ts",
    found: "/^(?:[\\t\\r\\n\\0]|\\s*[",
    instead: "/^(?:never|\\s*never[",
    tests: ["tests/web/csv.test.ts"],
  },
  "another site changes nothing": {
    file: "server/same-origin.ts",
    found: "const changes = !safeMethods.includes(request.method) || isLogout(request.path);",
    instead: "const changes = false as boolean;",
    tests: ["tests/server/requests.test.ts"],
  },
  "another site logs nobody out": {
    file: "server/same-origin.ts",
    found: " || isLogout(request.path)",
    instead: "",
    tests: ["tests/server/requests.test.ts", "tests/security/other-site.test.ts"],
  },
  "the origin of a form is ours": {
    file: "server/same-origin.ts",
    found: "return origin === undefined || ours.has(origin);",
    instead: "return true;",
    tests: ["tests/server/requests.test.ts"],
  },
  "a Host is never believed": {
    file: "server/request-checks.ts",
    found: "request.headers.host = own.host;",
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "a body has a limit": {
    file: "server/request-checks.ts",
    found: 'if (Number(request.headers["content-length"] ?? 0) > bytes) return refuseBody(request, response);',
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "a body has a limit also when it says nothing of its length": {
    file: "server/request-checks.ts",
    found: "if (seen > bytes && !response.headersSent) refuseBody(request, response);",
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "no frame around us": {
    file: "server/security-headers.ts",
    found: '"X-Frame-Options": "DENY",',
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "private addresses are not asked": {
    file: "app/outbound/send-outbound.server.ts",
    found: "request.allowPrivate ?? env().allowPrivateOutbound",
    instead: "true",
    tests: ["tests/outbound/send-outbound.test.ts"],
  },
  "an answer has a limit": {
    file: "app/outbound/send-outbound.server.ts",
    found: 'if (length > bytes) throw new OutboundError("too_large", url.host);',
    instead: "",
    tests: ["tests/outbound/send-outbound.test.ts"],
  },
  "a file is what its bytes say": {
    file: "app/media/detect-media.ts",
    found: "return { refused: refusalOf(start) };",
    instead: 'return { type: "image/png" };',
    tests: ["tests/media/read-media.test.ts"],
  },
  "reports of one campaign come one after the other": {
    file: "app/domain/delivery/lock-campaigns.server.ts",
    found: "order by id for no key update`",
    instead: "order by id`",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a day spends its budget at most": {
    file: "app/domain/delivery/take-spend.ts",
    found: "Math.min(roomToday, claim.totalMicros - (spent.all.get(claim.campaignId) ?? 0))",
    instead: "claim.totalMicros - (spent.all.get(claim.campaignId) ?? 0)",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a campaign spends its budget at most": {
    file: "app/domain/delivery/take-spend.ts",
    found: "Math.min(roomToday, claim.totalMicros - (spent.all.get(claim.campaignId) ?? 0))",
    instead: "roomToday",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "nothing is reported of a day to come": {
    file: "app/domain/delivery/report-delivery.server.ts",
    found: 'row.day > today ? "future_day" : undefined',
    instead: "undefined",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a row stands once in a report": {
    file: "app/domain/delivery/report-delivery.server.ts",
    found: '(seen.has(key) ? "duplicate_row" : undefined)',
    instead: "undefined",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a yes is for the version that was seen": {
    file: "app/domain/campaigns/review-campaign.server.ts",
    found: "input.version && input.version !== item.sentVersion",
    instead: "false",
    tests: ["tests/domain/campaigns/review.test.ts"],
  },
};

/**
 * Guards that stand behind another, which lets nothing through to them: in every WHERE all the same (decision 20), but no test
 * can miss them.
 */
export const doubled: { file: string; found: string; why: string }[] = [
  {
    file: "app/domain/audiences/reserve-upload.server.ts",
    found: "eq(audienceUploads.publisherId, ctx.actor.accountId)",
    why: "The id comes from the answer kept under the caller's own key.",
  },
  {
    file: "app/domain/campaigns/create-managed-campaign.server.ts",
    found: "eq(lineItems.publisherId, ctx.actor.accountId)",
    why: "The campaign was made in this transaction, of the publisher's own audiences alone.",
  },
  {
    file: "app/domain/catalog/stores/list-stores.server.ts",
    found: "eq(productImports.accountId, ctx.actor.accountId)",
    why: "A foreign key keeps the imports of a shop with its account, and the shops are the account's own.",
  },
];

/** A row of one's own: the account in every WHERE. */
const ownRows =
  /\beq\((\w+)\.(accountId|publisherId|advertiserId|ownerId), (?:(?:ctx|tx)\.actor\.accountId|publisherId|advertiserId|accountId|input\.ownerId)\)/g;
/** A refusal: without it the verb goes on. */
const refusals = /\bthrow (?=new DomainError\(|[a-z]\w*\()/g;

/** All mutants, those of the domain found in its text: a new guard is under test from the day it is written. */
export function findMutants(root: string): Mutant[] {
  const outside = Object.entries(named).map(([name, mutant]) => {
    const at = readFileSync(join(root, mutant.file), "utf8").indexOf(mutant.found);
    return { name, at, ...mutant };
  });
  const texts = sourceFiles(join(root, "app/domain")).map((path) => path.slice(root.length + 1));
  const tests = sourceFiles(join(root, "tests")).filter((path) =>
    /tests\/(domain|api|routes|web)\/.*\.test\.tsx?$/.test(path),
  );
  const inside = texts.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const concerned = testsOf(file, { root, tests });
    const own = [...text.matchAll(ownRows)].map(({ 0: found, 1: table, 2: column, index }) => ({
      found,
      at: index,
      instead: `eq(${table}.${column}, ${table}.${column})`,
    }));
    const refused = [...text.matchAll(refusals)].map(({ 0: found, index }) => ({ found, at: index, instead: "void " }));
    return [...own, ...refused].map((mutant) => {
      const line = text.slice(0, mutant.at).split("\n").length;
      return { name: `${basename(file)}:${line} ${mutant.found.trim()}`, file, ...mutant, tests: concerned };
    });
  });
  return [
    ...outside,
    ...inside.filter(({ file, at }) => !standBehind(root, file).some(({ from, to }) => from <= at && at < to)),
  ];
}

/** Where a file's guards stand that are behind another. */
function standBehind(root: string, file: string): { from: number; to: number }[] {
  return doubled.flatMap((one) => {
    if (one.file !== file) return [];
    const from = readFileSync(join(root, file), "utf8").indexOf(one.found);
    return { from, to: from + one.found.length };
  });
}

/** The tests that name the file, those that try all calls as somebody else, and those beside it that come to run it. */
function testsOf(file: string, { root, tests }: { root: string; tests: string[] }): string[] {
  const folder = file.split("/")[2] ?? "";
  const naming = tests.filter((path) => readFileSync(path, "utf8").includes(basename(file)));
  const reaching = tests.filter((path) => reachedFrom(path, root).has(join(root, file)));
  const near = reaching.filter((path) => path.includes(`tests/domain/${folder}/`));
  // Of a part without tests of its own: those of others that come to run it, the smallest first.
  const far = reaching
    .filter((path) => path.includes("tests/domain/"))
    .sort((one, other) => reachedFrom(one, root).size - reachedFrom(other, root).size);
  const beside = near.length > 0 ? near : far;
  const foreign = "tests/api/authorization.test.ts#what belongs to somebody else";
  const [first, then] = [naming, beside].map((paths) => paths.map((path) => path.slice(root.length + 1)));
  return [...new Set([...(first ?? []), foreign, ...(then ?? []), "tests/api/tenant-calls.test.ts"])];
}

const reached = new Map<string, Set<string>>();

/** The project's files that a test imports, and those that they import. */
function reachedFrom(test: string, root: string): Set<string> {
  const known = reached.get(test);
  if (known) return known;
  const found = new Set([test]);
  for (const path of found) {
    for (const [, wanted = ""] of readFileSync(path, "utf8").matchAll(
      /(?:from|import) ?\(?"((?:#|\.\.?\/)[^"]+\.tsx?)"/g,
    )) {
      found.add(wanted.startsWith("#") ? join(root, wanted.slice(1)) : resolve(dirname(path), wanted));
    }
  }
  reached.set(test, found);
  return found;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
