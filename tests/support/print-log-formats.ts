import { readEnv } from "#app/env.server.ts";
import { testSecret } from "./test-secret.ts";

/** Prints the format of log lines in this process: as it is, with NO_COLOR, and with LOG_FORMAT=json. */
const required = { DATA_DIR: "none", SESSION_SECRET: testSecret };
console.info(readEnv(required).logFormat);
process.env.NO_COLOR = "1";
console.info(readEnv(required).logFormat);
delete process.env.NO_COLOR;
console.info(readEnv({ ...required, LOG_FORMAT: "json" }).logFormat);
