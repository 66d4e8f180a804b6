import type { AudienceId } from "../../ids.ts";
import { minimumAudienceSize, nextStep, roundedSize } from "../audience.ts";
import { noiseFor, noisePeople } from "./noise.server.ts";

/** From `from` people to fewer than `to` people. */
export type PeopleRange = { from: number; to: number };

export type SnapshotFacts = { audienceId: AudienceId; version: number; erasures: number; size: number };

/** Identifies the content of a snapshot: always the same people under one label. */
export function snapshotLabel({ audienceId, version, erasures }: SnapshotFacts): string {
  return `${audienceId} ${version} ${erasures}`;
}

/** Returns a snapshot's size with noise. Everything that depends on the size uses this number, never the exact size. */
export function noisySize(snapshot: SnapshotFacts): number {
  const noise = noisePeople * noiseFor(`size ${snapshotLabel(snapshot)}`);
  return Math.max(minimumAudienceSize, Math.round(snapshot.size + noise));
}

/** Returns the size range that is published for a ready audience. */
export function publishedSize(snapshot: SnapshotFacts): PeopleRange {
  const from = roundedSize(noisySize(snapshot));
  return { from, to: nextStep(from) };
}
