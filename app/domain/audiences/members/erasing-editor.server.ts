import { BlockEditor, type Change } from "./block-editor.server.ts";
import { hasVariants, personCount } from "./identifier-flags.ts";
import { findIn, type StoredHash } from "./member-look-up.server.ts";
import type { MergeCounts } from "./merge-members.ts";

/**
 * Removes hashes from the blocks of an audience's base and of all its deltas, so that none of them has them any more,
 * not even as removed. Use only inside a transaction that holds the audience's lock.
 */
export class ErasingEditor extends BlockEditor {
  override canonicalHashesOf(hash: string): string[] {
    return this.findAll(hash).flatMap(({ canonicalHash }) => canonicalHash ?? []);
  }

  override mayHaveVariants(hash: string): boolean {
    return this.findAll(hash).some(({ tag }) => hasVariants(tag));
  }

  /** Also when it was one in an older generation, and is removed since. */
  override isVariantOf(hash: string, canonicalHashes: ReadonlySet<string>): boolean {
    return this.find(hash) === undefined || super.isVariantOf(hash, canonicalHashes);
  }

  override async change({ removed }: Change): Promise<MergeCounts> {
    const before = this.countPeople();
    let changed = false;
    for (const layer of this.layers) {
      const counts = await this.changeIn(layer, { added: [], removed });
      changed ||= counts.changed;
    }
    await this.load(this.loaded);
    const size = this.countPeople();
    return { before, size, added: 0, removed: before - size, changed };
  }

  /** Returns what each generation has of a hash. */
  private findAll(hash: string): StoredHash[] {
    return this.layers.flatMap(({ blocks }) => findIn(blocks, hash) ?? []);
  }

  private countPeople(): number {
    const people: number[] = [...new Set(this.loaded)].map((hash) => {
      const found = this.find(hash);
      return found ? personCount(found.tag) : 0;
    });
    return people.reduce((sum, one) => sum + one, 0);
  }
}
