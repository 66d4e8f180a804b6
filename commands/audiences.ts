import { countAudiencesByStore, moveAudiences } from "#app/domain/audiences/move-audiences.server.ts";
import { type AudienceId, parseId } from "#app/domain/ids.ts";
import { StartupError } from "#app/startup-error.ts";
import { audienceStore } from "#app/storage/storage.server.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run audiences -- list | move [ID…]`: shows how many audiences have their people in rows and in objects; moves
 * all of them, or some, to the store of AUDIENCE_STORE (docs/decisions/0100), while servers go on.
 */
const usage = "Usage: npm run audiences -- list | move [ID…]";

export default databaseCommand(async ({ ctx, args }) => {
  const [verb, ...given] = args;
  const ids = given.flatMap((id) => parseId<AudienceId>(id) ?? []);
  if (ids.length < given.length || (verb === "list" && ids.length > 0)) throw new StartupError(usage);
  if (verb === "list") {
    const { rows, objects, both } = await countAudiencesByStore(ctx);
    print(`${rows} in rows, ${objects} in objects, ${both} in both`);
    return;
  }
  if (verb !== "move") throw new StartupError(usage);
  const store = audienceStore();
  let moved = 0;
  const onMoved = () => {
    moved += 1;
    if (moved % 100 === 0) print(`${moved} moved to ${store}`);
  };
  const { left } = await moveAudiences(ctx, { store, ids: ids.length > 0 ? ids : undefined, onMoved });
  print(`${moved} ${moved === 1 ? "audience" : "audiences"} moved to ${store}`);
  if (left > 0)
    throw new StartupError(
      `${left} not there yet. Check AUDIENCE_STORE of all servers and workers, and run this again.`,
    );
});
