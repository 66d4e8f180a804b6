import { inject } from "vitest";
import { useBuiltThreads } from "#app/sheets/worker-thread.server.ts";

useBuiltThreads(inject("threads"));
