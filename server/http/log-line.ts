import { writeSync } from "node:fs";
import { formatLogLine, type LogFormat } from "#app/log-format.ts";

const severities = { warn: 40, error: 50 };
const ranks: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 };

export type LogSettings = { logLevel: string; logFormat: LogFormat };

type Line = { level: keyof typeof severities; message: string; fields?: Record<string, string | number | undefined> };

/**
 * Writes one line to stdout, in the log's format (app/web/log.server.ts): for the supervisor and the watchdog thread,
 * which load almost no modules.
 */
export function writeLogLine({ logLevel, logFormat }: LogSettings, { level, message, fields = {} }: Line): void {
  const severity = severities[level];
  if (severity < (ranks[logLevel] ?? 0)) return;
  const line = { level: severity, time: new Date().toISOString(), ...fields, msg: message };
  try {
    writeSync(1, formatLogLine(line, logFormat));
  } catch {
    // The reader of stdout is gone.
  }
}
