import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DomainError } from "#app/domain/errors.ts";
import { createSpool, type SpooledFile } from "#app/sheets/encrypted-spool.server.ts";

/** Longer than any active reader takes, in milliseconds. */
const readTimeoutMs = 600_000;

const piece = 64 * 1024;

/** What `end` adds before and after the written bytes. */
type Around = { before: Uint8Array; after: Uint8Array };
type Write = (piece: Uint8Array) => Promise<void>;

/**
 * Writes to an encrypted, unlinked temporary file and streams from it once complete, so that memory holds one chunk and
 * a slow client holds no database connection. Deleted after reading, on abort, and after ten minutes. Throws
 * `unavailable` if the disk is full.
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
  const message = "We can't accept the file right now. Try again in a minute.";
  throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause });
}

function readOnce(spooled: SpooledFile, { before, after }: Around): Readable {
  const source = (async function* () {
    yield before;
    for (let at = 0; at < spooled.size; at += piece) yield spooled.read(at, Math.min(piece, spooled.size - at));
    yield after;
  })();
  // Ends with the first of: all bytes read, the reader gone, the timeout.
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
      // Waits for the current read.
      current.then(() => spooled.dispose()).then(() => done(error), done);
    },
  });
  // A file that nobody reads has no other listener; a reader gets the error where it reads.
  file.on("error", () => undefined);
  const timer = setTimeout(() => file.destroy(new Error("a file was not read in time")), readTimeoutMs).unref();
  return file;
}
