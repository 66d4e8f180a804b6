import { inject } from "vitest";
import { setBuiltThreadsFolder } from "#app/built-module.server.ts";

setBuiltThreadsFolder(inject("threads"));
