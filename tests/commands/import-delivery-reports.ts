import command from "../../commands/import-delivery-reports.ts";
import { perform } from "./perform-command.ts";

/** Performs `npm run deliveries` on the open database, without a process of its own. */
export function importDeliveryReports(ownerUrl: string, ...args: string[]): ReturnType<typeof perform> {
  return perform(ownerUrl, command, ...args);
}
