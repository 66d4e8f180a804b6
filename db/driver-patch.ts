import { basename } from "node:path";
import { StartupError } from "#app/startup-error.ts";

/**
 * Returns the source of a file of postgres.js 3.4.9 with our patches.
 *
 * They fix bugs that occur when PostgreSQL restarts under load (porsager/postgres #1154, #1066, #1208, #1193): a write
 * to a closed socket threw outside of any promise; leftover bytes were sent before the startup message of the next
 * connection; a queue kept a query that was never sent, so that its connection waited forever; and a transaction
 * continued, or rolled back, on a connection that already belonged to another one. A query that followed a connection
 * which PostgreSQL had ended got that one's error (#1215). Two occur without a restart: the end of a COPY left the
 * connection paused when its last rows filled the stream's buffer, and the rows of a query that followed one which had
 * failed after some of its rows began behind as many empty ones.
 *
 * They accept the folder of a Unix socket as the URL's host, percent-encoded, as libpq does; a socket that is not there
 * is an error like a port where nobody listens. A pool reads the types of arrays once and not for each connection,
 * whose first query waited for that. They also send `bytea` parameters as bytes and return them as bytes from prepared
 * statements. As text they are twice as long, and for the hashes of millions of people that text takes as long to write
 * and read as everything else together. The memory of a message of megabytes is used again once the socket has it:
 * memory outside the heap makes V8 scan all of the heap, the more often the more of it is allocated. Of several idle
 * connections, a query gets the one that was used last: it is the likeliest to have prepared the statement and to know
 * its tables, while all in turn would each have to learn both. A savepoint is released when its work has ended: each
 * open one slows down the statements after it.
 */
export function patchedSource(path: string, source: string): string {
  let text = source;
  for (const { from, to } of edits[basename(path)] ?? []) {
    // Versions up to 0.1.0 wrote the same patches into node_modules.
    if (text.includes(to)) continue;
    if (text.split(from).length !== 2) {
      throw new StartupError(
        "postgres: the installed version is not 3.4.9, which db/driver-patch.ts requires. Run npm ci.",
      );
    }
    text = text.replace(from, () => to);
  }
  return text;
}

type Edit = { from: string; to: string };

const timerCleared = "clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null // patched\n";

/** The patches by file name. */
const edits: Record<string, Edit[]> = {
  "connection.js": [
    {
      from: "    errored(err)\n    while (sent.length)\n",
      to: `    if (err.syscall === 'connect' && err.code === 'ENOENT') // patched: the Unix socket of a server that does not run
      err.code = 'ECONNREFUSED'
    errored(err)
    while (sent.length)
`,
    },
    {
      from: "      needsTypes = options.fetch_types\n",
      to: "      needsTypes = options.fetch_types && !(options.shared.hasTypes && initial && !initial.reserve) // patched\n",
    },
    {
      from: "    types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))\n",
      to: `    types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))
    options.shared.hasTypes = true // patched
`,
    },
    {
      from: "    stream && stream.push(null)\n    stream = null\n  }\n\n  function NoticeResponse",
      to: `    stream && stream.push(null)
    stream = null
    socket.resume() // patched: nobody reads a stream that has ended
  }

  function NoticeResponse`,
    },
    {
      from: "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)\n",
      to: `  function nextWrite(fn) {
    if (socket === null) { // patched
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return true
    }
    const sending = chunk
    const x = socket.write(chunk, sending.length < 1048576 ? fn : (err) => {
      err || b.sent(sending)
      fn && fn(err)
    })
`,
    },
    {
      from: "    clearImmediate(nextWriteTimer)\n    if (socket) {",
      to: `    ${timerCleared}    if (socket) {`,
    },
    {
      from: "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
      to: `    ${timerCleared}    socket.removeListener('data', data)`,
    },
    {
      from: "    !hadError && (query || sent.length) && error(",
      to: "    ;(query || sent.length) && error(", // patched: what was sent after the error waits no longer
    },
    {
      from: "    if (initial)\n      return reconnect()\n",
      to: `    if (initial) {
      forget() // patched
      return reconnect()
    }
`,
    },
    {
      from: "    closedTime = performance.now()\n    hadError",
      to: "    forget() // patched\n    closedTime = performance.now()\n    hadError",
    },
    {
      from: "  /* Handlers */\n",
      to: `  function forget() { // patched: nothing of a closed connection is left to the one that replaces it
    query = results = errorResponse = null
    result = new Result()
    rows = 0
  }

  /* Handlers */
`,
    },
    {
      from: "    query = results = errorResponse = null\n    result = new Result()\n    connectTimer",
      to: "    forget() // patched: a query that failed after some of its rows left their number to the next one\n    connectTimer",
    },
    {
      from: "    chunk = chunk ? Buffer.concat([chunk, x]) : Buffer.from(x)\n",
      to: `    if (chunk && x.length >= 1048576) { // patched: megabytes are not copied behind what waits
      socket && socket.write(chunk)
      chunk = null
    }
    chunk = chunk ? Buffer.concat([chunk, x]) : x // patched: not copied, since nobody writes into it
`,
    },
    {
      from: "      Bind(q.parameters, q.statement.types, q.statement.name, q.cursorName),\n",
      to: "      Bind(q.parameters, q.statement.types, q.statement.name, q.cursorName, bytesIn(q)), // patched\n",
    },
    {
      from: "  function prepared(q) {\n    return Buffer.concat([\n",
      to: `  function appended([bound, next]) { // patched: megabytes are not copied once more; there is room behind them
    const length = bound.length + next.length
    if (bound.length < 65536 || bound.byteOffset !== 0 || bound.buffer.byteLength < length)
      return Buffer.concat([bound, next])
    const both = Buffer.from(bound.buffer, 0, length)
    both.set(next, bound.length)
    return both
  }

  function prepared(q) {
    return appended([
`,
    },
    {
      from: "  function Bind(parameters, types, statement = '', portal = '') {\n",
      to: `  function bytesIn(q) { // patched: which columns are bytea, when that is known already
    const columns = q.prepared && q.isRaw !== true && q.statement.columns
    q.binary = !!columns && columns.some(x => x.type === 17)
    return q.binary ? columns : []
  }

  function Bind(parameters, types, statement = '', portal = '', columns = []) {
`,
    },
    {
      from: "    b().B().str(portal + b.N).str(statement + b.N).i16(0).i16(parameters.length)\n",
      to: `    const room = parameters.reduce((sum, x) => sum + 64 + (x instanceof Uint8Array ? x.length : 0), 256) // patched
    b().B().room(room).str(portal + b.N).str(statement + b.N).i16(parameters.length)
    parameters.forEach((x, i) => b.i16(types[i] === 17 && x instanceof Uint8Array ? 1 : 0))
    b.i16(parameters.length)
`,
    },
    {
      from: "      type = types[i]\n      parameters[i] = x =",
      to: `      type = types[i]
      if (type === 17 && x instanceof Uint8Array) // patched
        return b.i32(x.length).raw(x)
      parameters[i] = x =`,
    },
    {
      from: "    b.i16(0)\n\n    return b.end()\n  }\n\n  function Parse(",
      to: `    b.i16(columns.length) // patched
    columns.forEach(x => b.i16(x.type === 17 ? 1 : 0))

    return b.end()
  }

  function Parse(`,
    },
    {
      from: "          ? x.subarray(index, index += length)\n          : column.parser === undefined\n",
      to: `          ? x.subarray(index, index += length)
          : query.binary && column.type === 17 // patched: a copy, which does not hold on to all that was received
          ? Buffer.from(x.subarray(index, index += length))
          : column.parser === undefined
`,
    },
  ],
  "queue.js": [
    {
      from: "    push: (x) => (xs.push(x), x),\n",
      to: `    push: (x) => (xs.push(x), x),
    pop: () => { // patched
      const out = xs.pop()
      if (index === xs.length) {
        index = 0
        xs = []
      }
      return out
    },
`,
    },
  ],
  "bytes.js": [
    {
      from: "const size = 256\n",
      to: "const size = 256\nconst lent = new WeakSet(), spares = [] // patched: memory of large messages\n",
    },
    {
      from: "  i: 0,\n  inc(x) {",
      to: `  i: 0,
  room(x) { // patched: once, instead of ever more of it; for megabytes, in memory of a message that was sent
    if (x < 1048576) {
      fit(x)
      return b
    }
    const at = spares.findIndex(spare => spare.length >= b.i + x)
    const larger = at < 0 ? Buffer.allocUnsafeSlow(Math.ceil((b.i + x) / 1048576) * 1048576) : spares.splice(at, 1)[0]
    buffer.copy(larger, 0, 0, b.i)
    buffer = larger
    lent.add(larger.buffer)
    return b
  },
  sent(x) { // patched: the socket no longer needs the memory of a message
    if (lent.delete(x.buffer) && spares.length < 2 && x.buffer.byteLength <= 8388608)
      spares.push(Buffer.from(x.buffer))
  },
  inc(x) {`,
    },
    {
      from: "    buffer = Buffer.concat([buffer.subarray(0, b.i), x])\n    b.i = buffer.length\n",
      to: "    fit(x.length) // patched\n    buffer.set(x, b.i)\n    b.i += x.length\n",
    },
  ],
  "index.js": [
    {
      from: "      hostname: urlObj.hostname,\n",
      to: "      hostname: decodeURIComponent(urlObj.hostname), // patched: the folder of a Unix socket, as libpq has it\n",
    },
    {
      from: "        new Promise((_, reject) => connection.onclose = reject)\n",
      to: "        new Promise((_, reject) => connection.onclose = (e) => (lost = e, reject(e))) // patched\n",
    },
    {
      from: "      return go(open.shift(), query)\n",
      to: "      return go(open.pop(), query) // patched: the one that was used last\n",
    },
    {
      from: "      ? open.shift()\n",
      to: "      ? open.pop() // patched\n",
    },
    {
      from: "    let savepoints = 0\n      , connection\n",
      to: "    let savepoints = 0\n      , lost = null // patched\n      , connection\n",
    },
    {
      from: "        return scope(c, fn, 's' + savepoints++ + (name ? '_' + name : ''))\n",
      to: "        return scope(c, fn, 's' + savepoints++ + (name ? '_' + name : '')).finally(() => savepoints--) // patched\n",
    },
    {
      from: "          : sql`rollback`\n        )\n",
      to: "          : sql`rollback`\n        )\n        name && await sql.unsafe('release savepoint ' + name) // patched\n",
    },
    {
      from: "      if (!name) {\n",
      to: "      name && await sql.unsafe('release savepoint ' + name) // patched\n      if (!name) {\n",
    },
    {
      from: "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
      to: "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost) // patched\n          return q.reject(lost)\n",
    },
  ],
};
