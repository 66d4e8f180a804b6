import type { AudienceId } from "../../ids.ts";
import { identifierKinds, packFlags, profilesFromFlags } from "./identifier-flags.ts";

/** A generation of blocks with the changes of one or several versions: new and changed hashes, and removed ones. */
export type Delta = {
  generation: number;
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
export type Generations = { audienceId: AudienceId; generation: number; deltas: Deltas | null };

/** The flags of a removed hash in a delta. No stored hash is without a profile, and this kind counts as nobody. */
export const removedFlags = packFlags(identifierKinds.secondaryEmail, 0);

export function isRemoved(flags: number): boolean {
  return profilesFromFlags(flags) === 0;
}

/** All generations of an audience, the base first, then its deltas, the oldest first. */
export function generationsOf({ generation, deltas }: Omit<Generations, "audienceId">): number[] {
  return [generation, ...(deltas?.list.map((delta) => delta.generation) ?? [])];
}
