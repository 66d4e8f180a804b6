import type { Database } from "#db/client.server.ts";
import { writesDeltas } from "./audience-deltas.server.ts";
import { BlockEditor } from "./block-editor.server.ts";
import { DeltaEditor } from "./delta-editor.server.ts";
import type { Generations } from "./deltas.ts";

/** What changes single members of an audience: in place, or in a delta. */
export type MemberEditor = BlockEditor | DeltaEditor;

/** Returns the editor for an audience of so many people, whose lock the caller holds. */
export async function openEditor(db: Database, place: Generations, people: number): Promise<MemberEditor> {
  return (await writesDeltas(db, place, people)) ? new DeltaEditor(db, place) : new BlockEditor(db, place);
}
