import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * A removed guard: `found`, which occurs once in the file, at `at`, becomes `instead`, and then one of `tests` must
 * fail: a file, or after a `#` the title of a test or group in it.
 */
export type Mutant = { name: string; file: string; at: number; found: string; instead: string; tests: string[] };

type MutantInput = Omit<Mutant, "name" | "at">;

/** Guards outside the domain, and those of the domain that throw no error, each with its tests. */
const named: Record<string, MutantInput> = {
  "a portal is for its own user type": {
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
    file: "app/portal/require-portal-access.server.ts",
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
  "an unused session ends": {
    file: "app/domain/accounts/find-viewer.server.ts",
    found: 'gt(sessions.lastSeenAt, sql.placeholder("idleSince")),',
    instead: 'eq(sql.placeholder("idleSince"), sql.placeholder("idleSince")),',
    tests: ["tests/domain/accounts"],
  },
  "a sign-in belongs to its browser": {
    file: "app/domain/accounts/sign-in/find-sign-in-attempt.server.ts",
    found: "eq(signInAttempts.browserHash, hashSecret(browserSecret)),",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in consumes only its browser's attempt": {
    file: "app/domain/accounts/sign-in/consume-sign-in-attempt.server.ts",
    found: "eq(signInAttempts.browserHash, hashSecret(browserSecret)), ",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in must return its state": {
    file: "app/web/sign-in/sign-in.server.ts",
    found: "const stateHash = state === undefined ?",
    instead: "const stateHash = true ?",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in lasts ten minutes": {
    file: "app/domain/accounts/sign-in/find-sign-in-attempt.server.ts",
    found: "gt(signInAttempts.createdAt, new Date(ctx.clock().getTime() - signInAttemptTtlMs)),",
    instead: "",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "a sign-in attempt is used once": {
    file: "app/domain/accounts/sign-in/consume-sign-in-attempt.server.ts",
    found: "isNull(signInAttempts.usedAt)",
    instead: "undefined",
    tests: ["tests/routes/sign-in.test.ts"],
  },
  "an email address must be verified": {
    file: "app/domain/accounts/sign-in/sign-in-user.server.ts",
    found: "!emailVerified || ",
    instead: "",
    tests: ["tests/domain/accounts", "tests/routes/sign-in.test.ts"],
  },
  "sign-ins are counted": {
    file: "app/domain/access/consume-rate-limit.server.ts",
    found: "if (drawn > 0) return;",
    instead: "return;",
    tests: ["tests/domain/access"],
  },
  "a revoked key is invalid": {
    file: "app/domain/api-keys/find-api-key-principal.server.ts",
    found: ", isNull(apiKeys.revokedAt)",
    instead: "",
    tests: ["tests/api/tenant-endpoints.test.ts"],
  },
  "an invalid key is rejected despite a valid cookie": {
    file: "app/api/auth.server.ts",
    found: 'if (!holder) throw new DomainError("unauthenticated", "Invalid or revoked API key");',
    instead: "if (!holder) return { viewer: await findViewer(apiRequest.head, apiRequest.context) };",
    tests: ["tests/api/authorization.test.ts"],
  },
  "an operator's endpoint requires an operator's key": {
    file: "app/api/auth.server.ts",
    found: 'if (holder?.role !== "operator") throw',
    instead: 'if (holder?.role !== "operator") void',
    tests: ["tests/api/authorization.test.ts"],
  },
  "an endpoint for people rejects keys": {
    file: "app/api/endpoint.server.ts",
    found: "if (!allowsApiKeys) await denyApiKeys(apiRequest);",
    instead: "",
    tests: ["tests/api/authorization.test.ts", "tests/api/tenant-endpoints.test.ts"],
  },
  "a repeated request has no second effect": {
    file: "app/domain/idempotency/with-idempotency-key.server.ts",
    found: "if (!(await claimKey(tx, request, requestHash)))",
    instead: "if ((await claimKey(tx, request, requestHash)) && false)",
    tests: ["tests/api/idempotency.test.ts"],
  },
  "a key is for one request": {
    file: "app/domain/idempotency/with-idempotency-key.server.ts",
    found: "if (!first || !isHashOf(first.requestHash, requestHash))",
    instead: "if (!first)",
    tests: ["tests/api/idempotency.test.ts"],
  },
  "the idempotency keys of two callers are separate": {
    file: "app/api/endpoint.server.ts",
    found: "caller: entry.idempotencyScope,",
    instead: 'caller: "all",',
    tests: ["tests/api/idempotency.test.ts"],
  },
  "a redirect stays on this site": {
    file: "app/web/safe-redirect.ts",
    found: "!/^\\/(?![/\\\\])/.test(text) || /[\\p{Cc}\\p{Cs}\\\\]/u.test(text)",
    instead: "false",
    tests: ["tests/web/redirect-targets.test.ts"],
  },
  "dots in a path lead nowhere else": {
    file: "app/web/safe-redirect.ts",
    found: ' || url.pathname.startsWith("//")',
    instead: "",
    tests: ["tests/web/redirect-targets.test.ts"],
  },
  "a cell is not a formula": {
    file: "app/web/csv.ts",
    found: "/^(?:[\\t\\r\\n\\0]|\\s*[",
    instead: "/^(?:never|\\s*never[",
    tests: ["tests/web/csv.test.ts"],
  },
  "another site changes nothing": {
    file: "server/http/same-origin.ts",
    found: "const changes = !safeMethods.includes(request.method) || isLogout(request.path);",
    instead: "const changes = false as boolean;",
    tests: ["tests/server/requests.test.ts"],
  },
  "another site signs nobody out": {
    file: "server/http/same-origin.ts",
    found: " || isLogout(request.path)",
    instead: "",
    tests: ["tests/server/requests.test.ts", "tests/security/cross-site.test.ts"],
  },
  "a form's origin is this site": {
    file: "server/http/same-origin.ts",
    found: "return origin === undefined || ours.has(origin);",
    instead: "return true;",
    tests: ["tests/server/requests.test.ts"],
  },
  "a Host header is never trusted": {
    file: "server/http/malformed-requests.ts",
    found: "request.headers.host = own.host;",
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "a body has a limit": {
    file: "server/http/request-limits.ts",
    found:
      'if (Number(request.headers["content-length"] ?? 0) > bytes) return rejectBody(request, response, statedBytes);',
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "a body without Content-Length has a limit": {
    file: "server/http/request-limits.ts",
    found: "if (seen > bytes && !response.headersSent) rejectBody(request, response, statedBytes);",
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "pages cannot be framed": {
    file: "server/http/security-headers.ts",
    found: '"X-Frame-Options": "DENY",',
    instead: "",
    tests: ["tests/server/requests.test.ts"],
  },
  "private addresses are rejected": {
    file: "app/outbound/send-outbound.server.ts",
    found: "request.allowPrivate ?? env().allowPrivateOutbound",
    instead: "true",
    tests: ["tests/outbound/send-outbound.test.ts"],
  },
  "a response has a limit": {
    file: "app/outbound/send-outbound.server.ts",
    found: 'if (length > bytes) throw new OutboundError("too_large", url.host);',
    instead: "",
    tests: ["tests/outbound/send-outbound.test.ts"],
  },
  "a file's type is that of its bytes": {
    file: "app/media/detect-media.ts",
    found: "return { rejection: describeRejection(start) };",
    instead: 'return { type: "image/png" };',
    tests: ["tests/media/read-media.test.ts"],
  },
  "reports of one campaign are processed one after the other": {
    file: "app/domain/delivery/lock-campaigns.server.ts",
    found: "order by id for no key update`",
    instead: "order by id`",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a day spends at most its budget": {
    file: "app/domain/delivery/allocate-spend.ts",
    found: "Math.min(remainingToday, request.totalMicros - (spent.all.get(request.campaignId) ?? 0))",
    instead: "request.totalMicros - (spent.all.get(request.campaignId) ?? 0)",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a campaign spends at most its budget": {
    file: "app/domain/delivery/allocate-spend.ts",
    found: "Math.min(remainingToday, request.totalMicros - (spent.all.get(request.campaignId) ?? 0))",
    instead: "remainingToday",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "future days cannot be reported": {
    file: "app/domain/delivery/ingest-delivery-report.server.ts",
    found: "row.day > today",
    instead: "false",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "a row occurs once in a report": {
    file: "app/domain/delivery/ingest-delivery-report.server.ts",
    found: "keys.add(rowKey(row))",
    instead: "true",
    tests: ["tests/domain/delivery/report-delivery.test.ts"],
  },
  "an approval is for the version that was shown": {
    file: "app/domain/campaigns/review-campaign.server.ts",
    found: "input.version && input.version !== item.sentVersion",
    instead: "false",
    tests: ["tests/domain/campaigns/review.test.ts"],
  },
};

/**
 * Guards that another guard makes unreachable. They are in the WHERE all the same (decision 20), but no test can fail
 * without them.
 */
export const doubled: { file: string; found: string; why: string }[] = [
  {
    file: "app/domain/audiences/uploads/reserve-upload.server.ts",
    found: "eq(audienceUploads.publisherId, tx.actor.accountId)",
    why: "The id comes from the response stored for the caller's own key.",
  },
  {
    file: "app/domain/catalog/stores/list-stores.server.ts",
    found: "eq(productImports.accountId, ctx.actor.accountId)",
    why: "A foreign key ties the imports of a store to its account, and the stores are the account's own.",
  },
];

/** The condition on the account in a WHERE. */
const ownRows =
  /\beq\((\w+)\.(accountId|publisherId|advertiserId|ownerId), (?:(?:ctx|tx)\.actor\.accountId|publisherId|advertiserId|accountId|input\.ownerId)\)/g;
/** A thrown error: without it the verb continues. */
const rejections = /\bthrow (?=new DomainError\(|[a-z]\w*\()/g;

/**
 * Returns all mutants. Those of the domain are found in its text, so that a new guard is tested from the day it is
 * written.
 */
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
    const rejecting = [...text.matchAll(rejections)].map(({ 0: found, index }) => ({
      found,
      at: index,
      instead: "void ",
    }));
    return [...own, ...rejecting].map((mutant) => {
      const line = text.slice(0, mutant.at).split("\n").length;
      return { name: `${basename(file)}:${line} ${mutant.found.trim()}`, file, ...mutant, tests: concerned };
    });
  });
  return [
    ...outside,
    ...inside.filter(({ file, at }) => !doubledRanges(root, file).some(({ from, to }) => from <= at && at < to)),
  ];
}

/** Returns the positions of the file's guards that another guard makes unreachable. */
function doubledRanges(root: string, file: string): { from: number; to: number }[] {
  return doubled.flatMap((one) => {
    if (one.file !== file) return [];
    const from = readFileSync(join(root, file), "utf8").indexOf(one.found);
    return { from, to: from + one.found.length };
  });
}

/**
 * Returns the tests that name the file, those that call all endpoints from another account, and those of its area that
 * import it.
 */
function testsOf(file: string, { root, tests }: { root: string; tests: string[] }): string[] {
  const folder = file.split("/")[2] ?? "";
  const naming = tests.filter((path) => readFileSync(path, "utf8").includes(basename(file)));
  const reaching = tests.filter((path) => reachedFrom(path, root).has(join(root, file)));
  const near = reaching.filter((path) => path.includes(`tests/domain/${folder}/`));
  // An area without tests of its own uses those of others that import the file, the smallest first.
  const far = reaching
    .filter((path) => path.includes("tests/domain/"))
    .sort((one, other) => reachedFrom(one, root).size - reachedFrom(other, root).size);
  const beside = near.length > 0 ? near : far;
  const foreign = "tests/api/authorization.test.ts#objects of another account";
  const [first, then] = [naming, beside].map((paths) => paths.map((path) => path.slice(root.length + 1)));
  return [...new Set([...(first ?? []), foreign, ...(then ?? []), "tests/api/tenant-endpoints.test.ts"])];
}

const reached = new Map<string, Set<string>>();

/** Returns the files of the project that a test imports, directly or indirectly. */
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
