import type { AudienceId } from "../../ids.ts";
import { minimumAudienceSize, nextStep, roundedSize } from "../audience.ts";
import { noiseFor, noisePeople } from "./noise.server.ts";

/** From so many people on, to less than so many. */
export type PeopleRange = { from: number; to: number };

export type SnapshotFacts = { audienceId: AudienceId; version: number; erasures: number; size: number };

/** Names what is in a snapshot: the same people always, other people never. */
export function labelOf({ audienceId, version, erasures }: SnapshotFacts): string {
  return `${audienceId} ${version} ${erasures}`;
}

/** The size of a snapshot with its noise. Whatever depends on the size is made from this number, never from the size. */
export function noisySize(snapshot: SnapshotFacts): number {
  const noise = noisePeople * noiseFor(`size ${labelOf(snapshot)}`);
  return Math.max(minimumAudienceSize, Math.round(snapshot.size + noise));
}

/** The step in which others are told the size of an audience that can be chosen. */
export function publishedSize(snapshot: SnapshotFacts): PeopleRange {
  const from = roundedSize(noisySize(snapshot));
  return { from, to: nextStep(from) };
}
