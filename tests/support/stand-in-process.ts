import { startStandIn } from "./stand-in.ts";

await startStandIn();
