import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DomainError } from "#app/domain/errors.ts";
import { createSpool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";

/** Longer than anybody takes who reads at all, in milliseconds. */
const patience = 600_000;

const piece = 64 * 1024;

/** What `end` adds around what was written. */
type Around = { before: Uint8Array; after: Uint8Array };
type Write = (piece: Uint8Array) => Promise<void>;

/**
 * A file that is written on an encrypted file without a name, and read from there when it is whole: memory holds a piece of it,
 * and who reads slowly holds nothing but that. It is gone when it was read, when nobody wants it any more, and after ten
 * minutes. Throws `unavailable` when the disk has no room.
 */
export async function spoolFile(make: (write: Write) => Promise<Around>): Promise<Readable> {
  const spool = await createSpool(join(tmpdir(), "endcap-spool")).catch(noRoom);
  try {
    const around = await make((piece) => spool.write(piece).catch(noRoom));
    return readOnce(await spool.finish(), around);
  } finally {
    await spool.discard();
  }
}

function noRoom(cause: unknown): never {
  const message = "There is no room for the file on our side at the moment. Try again in a minute.";
  throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause });
}

function readOnce(spooled: SpooledFile, { before, after }: Around): Readable {
  const source = (async function* () {
    yield before;
    for (let at = 0; at < spooled.size; at += piece) yield spooled.read(at, Math.min(piece, spooled.size - at));
    yield after;
  })();
  // Whoever comes to the end of it first: the reading, the reader, or the time.
  let current: Promise<unknown> = Promise.resolve();
  const file = new Readable({
    read() {
      current = source.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      clearTimeout(timer);
      // Not while it is being read.
      current.then(() => spooled.dispose()).then(() => done(error), done);
    },
  });
  const timer = setTimeout(() => file.destroy(new Error("a file was not read in time")), patience).unref();
  return file;
}
