import { writeSync } from "node:fs";

const severities = { warn: 40, error: 50 };
const ranks: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 };

type Line = { level: keyof typeof severities; message: string; fields?: Record<string, string | number | undefined> };

/**
 * One JSON object a line on stdout, as the log writes them (app/web/log.server.ts): for the supervisor and the watchdog's
 * thread, which load next to nothing.
 */
export function writeLogLine(logLevel: string, { level, message, fields = {} }: Line): void {
  const severity = severities[level];
  if (severity < (ranks[logLevel] ?? 0)) return;
  const line = { level: severity, time: new Date().toISOString(), ...fields, msg: message };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody reads it any more.
  }
}
