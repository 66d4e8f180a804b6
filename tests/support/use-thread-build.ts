import { inject } from "vitest";
import { setBuiltThreadsFolder } from "#app/sheets/worker-thread.server.ts";

setBuiltThreadsFolder(inject("threads"));
