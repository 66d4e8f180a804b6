import { parseArgs } from "node:util";
import { apiKeySchema } from "#app/domain/api-keys/api-key.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { type ApiKeyId, parseId } from "#app/domain/ids.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/**
 * `npm run keys -- create --role operator [--name NAME] | list | revoke ID`: manages operator API keys. Advertisers and
 * publishers create their own keys in the app.
 */
const usage = "Usage: npm run keys -- create --role operator [--name NAME] | list | revoke ID";

export default databaseCommand(async ({ ctx, args }) => {
  const { values, positionals } = readArguments(args);
  const [verb, id, ...more] = positionals;
  // Of several keys only the first would be revoked.
  if (more.length > 0) throw new StartupError(usage);
  if (verb === "create" && !id && values.role === "operator") return create(ctx, values.name);
  if (verb === "list" && !id) return list(ctx);
  if (verb === "revoke" && id) return revoke(ctx, id);
  throw new StartupError(usage);
});

function readArguments(args: readonly string[]) {
  try {
    const options = { role: { type: "string" }, name: { type: "string", default: "Operator" } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new StartupError(usage);
  }
}

/** Prints only the secret on standard output, so that a script can read it. */
async function create(ctx: Ctx<OperatorActor>, name: string): Promise<void> {
  const result = apiKeySchema.safeParse({ name });
  if (!result.success) throw new StartupError(`--name: ${result.error.issues[0]?.message}`);
  const { key, secret } = await createApiKey(ctx, result.data);
  printNote(`Operator key ${key.id} created. Copy it now; it won't be shown again:`);
  print(secret);
}

async function list(ctx: Ctx<OperatorActor>): Promise<void> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await listApiKeys(ctx, { limit: 500, cursor });
    for (const key of page.rows) {
      print(
        [key.id, `${key.prefix}…`, key.createdAt.toISOString(), key.lastUsedAt?.toISOString() ?? "-", key.name].join(
          "\t",
        ),
      );
    }
    if (!cursor && page.rows.length === 0) printNote("No operator keys");
    cursor = page.nextCursor;
  }
}

async function revoke(ctx: Ctx<OperatorActor>, text: string): Promise<void> {
  const id = parseId<ApiKeyId>(text);
  if (!id) throw new StartupError(`${text} is not a key ID. Run npm run keys -- list to see key IDs.`);
  await revokeApiKey(ctx, { id });
  print(`${id} revoked`);
}
