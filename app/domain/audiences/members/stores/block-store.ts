import type { Database } from "#db/client.server.ts";
import type { AudienceId } from "../../../ids.ts";
import type { Block } from "../block.ts";
import type { Generation } from "../generation.ts";
import type { HashRange } from "../hash-sample.ts";

/** A block that is stored; `first` is its first hash. */
export type LoadedBlock = Block & { generation: number; first: Buffer };

export type BlockSelection = {
  range?: HashRange | undefined;
  /** Whether addresses are read too, which takes a decryption per block. Whoever writes the blocks again needs them. */
  withAddresses?: boolean;
};

/** Writes a generation's blocks, ascending, while the next ones are built. */
export type BlockWriter = {
  /** Resolves when more blocks can be accepted. */
  put: (blocks: readonly Block[]) => Promise<void>;
  /** Resolves when all blocks are stored. */
  end: () => Promise<void>;
};

/** Stores the blocks of generations. `db` may be a transaction, which then decides whether a change is one. */
export type BlockStore = {
  /**
   * Reads a generation's blocks in ascending order. With a range, reads the blocks that contain its hashes; the first
   * and the last block may contain others too. Ends early when the generation is deleted meanwhile.
   */
  read: (db: Database, place: Generation, selection: BlockSelection) => AsyncGenerator<Block>;
  /**
   * Returns the blocks of some generations of an audience that contain these hashes (32 bytes, `latin1`) or would
   * contain them, ascending.
   */
  find: (
    db: Database,
    among: { audienceId: AudienceId; generations: readonly number[] },
    hashes: readonly string[],
  ) => Promise<LoadedBlock[]>;
  /**
   * Returns parts of the blocks that contain these hashes, ascending, each with the hashes around one of them. Parts of
   * the same block are equally long, so that the last one that begins with a hash or before it has it, if the block has
   * it.
   */
  findParts: BlockStore["find"];
  /** Reads the blocks of a generation that contain variants as `read` does, without addresses. */
  readVariants: (db: Database, place: Generation) => AsyncGenerator<Block>;
  /** Returns how many hashes a generation has. */
  countHashes: (db: Database, place: Generation) => Promise<number>;
  openWriter: (db: Database, place: Generation) => BlockWriter;
  /** Replaces some blocks of a generation by others with hashes of the same ranges. */
  replace: (
    db: Database,
    place: Generation,
    blocks: { removed: readonly LoadedBlock[]; added: readonly Block[] },
  ) => Promise<void>;
  /** Deletes a generation. */
  drop: (db: Database, place: Generation) => Promise<void>;
  /** Deletes all generations of an audience but these. */
  dropOthers: (db: Database, kept: { audienceId: AudienceId; generations: readonly number[] }) => Promise<void>;
  /** Whether an audience has other generations than these. */
  hasOthers: (db: Database, known: { audienceId: AudienceId; generations: readonly number[] }) => Promise<boolean>;
  /** Returns audiences that have generations which their row does not name, chosen at random, at most 100. */
  listLeftOver: (db: Database) => Promise<AudienceId[]>;
};
