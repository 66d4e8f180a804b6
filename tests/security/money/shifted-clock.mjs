/**
 * Loaded before anything else by a process whose clock is to stand elsewhere: from here on it runs on from CLOCK_AT, or
 * stands there with CLOCK_STANDS. The database keeps its own time, as it would on another machine.
 */
const at = Date.parse(process.env.CLOCK_AT ?? "");
if (!Number.isNaN(at)) {
  const { now } = Date;
  const ahead = at - now();
  const shiftedNow = process.env.CLOCK_STANDS ? () => at : () => now() + ahead;
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [shiftedNow()] : given, made),
    get: (date, name, receiver) => (name === "now" ? shiftedNow : Reflect.get(date, name, receiver)),
  });
}
