import type { AudienceId } from "../../ids.ts";
import type { BlockStoreKind, Generation } from "./generation.ts";
import { identifierKinds, packFlags, profilesFromFlags } from "./identifier-flags.ts";

/** A generation of blocks with the changes of one or several versions: new and changed hashes, and removed ones. */
export type Delta = {
  generation: number;
  /** Where its blocks are; left out: in rows. */
  store?: BlockStoreKind;
  /** How many hashes it has, removed ones included. */
  hashes: number;
  /** When the oldest of its removals was written, as an ISO date and time; null where nothing is removed. */
  removedSince: string | null;
};

/** The deltas over an audience's base, the oldest first. */
export type Deltas = {
  /** The audience's version that they lead to. */
  version: number;
  /** How many hashes the base had when its first delta was written. */
  baseHashes: number;
  list: Delta[];
};

/** Where an audience's members are: a base and its deltas. For each hash, the newest generation that has it counts. */
export type Generations = Generation & { deltas: Deltas | null };

/** The flags of a removed hash in a delta. No stored hash is without a profile, and this kind counts as nobody. */
export const removedFlags = packFlags(identifierKinds.secondaryEmail, 0);

export function isRemoved(flags: number): boolean {
  return profilesFromFlags(flags) === 0;
}

/** All generations of an audience, the base first, then its deltas, the oldest first. */
export function generationsOf({ audienceId, generation, store, deltas }: Generations): Generation[] {
  const base = { audienceId, generation, store };
  return [base, ...(deltas?.list.map((delta) => deltaGeneration(audienceId, delta)) ?? [])];
}

export function deltaGeneration(audienceId: AudienceId, { generation, store = "rows" }: Delta): Generation {
  return { audienceId, generation, store };
}

/** Where an audience's members are, as its row says it. */
export type StoredPlace = { generation: number; objectGeneration: number | null; deltas: Deltas | null };

export function toGenerations(
  audienceId: AudienceId,
  { generation, objectGeneration, deltas }: StoredPlace,
): Generations {
  return { audienceId, generation, store: objectGeneration === null ? "rows" : "objects", deltas };
}

/** The columns of an audience whose members are there. */
export function toStoredPlace({ generation, store, deltas }: Omit<Generations, "audienceId">): StoredPlace {
  return { generation, objectGeneration: store === "objects" ? generation : null, deltas };
}
