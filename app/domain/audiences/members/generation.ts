import type { AudienceId } from "../../ids.ts";

/** In rows of `audience_blocks`, or in objects of the storage of files. */
export const blockStoreKinds = ["rows", "objects"] as const;
export type BlockStoreKind = (typeof blockStoreKinds)[number];

/** Blocks of one audience under a number that no other audience has: a base, or a delta over it. */
export type Generation = { audienceId: AudienceId; generation: number; store: BlockStoreKind };
