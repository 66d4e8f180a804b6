/**
 * A place in the primary's log. Everything that was committed before `at`, a time of this process's clock, precedes it.
 */
type Beat = { at: number; lsn: bigint };

/** An hour of beats: of a longer lag only this much is known. */
const maxBeats = 3_600;

/**
 * Remembers when the primary's log was where, so that the place to which a replica has replayed it tells as of when the
 * replica's rows are. An idle primary is no lag, because each beat moves its log.
 */
export function openLagHistory() {
  const beats: Beat[] = [];
  let asOf: number | undefined;
  return {
    add(beat: Beat): void {
      beats.push(beat);
      if (beats.length > maxBeats) beats.shift();
    },
    /** The replica has replayed everything before `lsn`. */
    replayed(lsn: bigint): void {
      while (beats[0] && beats[0].lsn <= lsn) asOf = beats.shift()?.at;
    },
    /**
     * Returns the time up to which the replica has every commit, in milliseconds; undefined while no beat has arrived.
     */
    asOf: () => asOf,
  };
}

/** Returns a `pg_lsn` in PostgreSQL's notation, such as `16/B374D848`, as a number of bytes. */
export function parseLsn(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is no pg_lsn`);
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
