import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type ChannelCredentials,
  channelCredentialsSchema,
} from "#app/domain/delivery/channels/channel-credentials.ts";
import { connectChannel } from "#app/domain/delivery/channels/connect-channel.server.ts";
import { type ConnectableChannel, connectableChannels } from "#app/domain/delivery/channels/connectable.ts";
import { disconnectChannel } from "#app/domain/delivery/channels/disconnect-channel.server.ts";
import {
  type ListedChannel,
  listChannels,
  type StateCounts,
} from "#app/domain/delivery/channels/list-channels.server.ts";
import { env } from "#app/env.server.ts";
import { describeApiEnd, type Service, services } from "#app/outbound/service-apis.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run channels -- connect google|meta [FILE] | list | disconnect google|meta [--leave]`: connects advertising
 * accounts to channels. Credentials are JSON from a file or standard input, never an argument: arguments are visible in
 * the process list.
 */
const usage = "Usage: npm run channels -- connect google|meta [FILE] | list | disconnect google|meta [--leave]";

export default databaseCommand(async ({ ctx, args }) => {
  const { verb, channel, file, leave } = readArguments(args);
  if (verb === "list") {
    for (const listed of await listChannels(ctx)) print(describeChannel(listed).join("\n\t"));
    for (const service of services) printApiEnd(service, ctx.clock());
  } else if (verb === "connect" && channel) {
    const { account, timeZone } = await connectChannel(ctx, readCredentials(channel, file));
    print(`${channel} connected to account ${account} (time zone ${timeZone})`);
  } else if (verb === "disconnect" && channel) {
    await disconnectChannel(ctx, { channel, leaveRemote: leave });
    print(`${channel} disconnected.${env().simulatedDelivery ? " It now uses the sandbox." : ""}`);
  } else throw new StartupError(usage);
});

/** Warns of an API that its service is about to end: also those of integrations and stores, which have no command. */
function printApiEnd(service: Service, now: Date): void {
  const warning = describeApiEnd(service, now);
  if (warning) print(warning);
}

function readArguments(args: readonly string[]) {
  try {
    const options = { leave: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [verb, named, file, more] = positionals;
    const channel = connectableChannels.find((one) => one === named);
    const isWhole = verb === "list" ? named === undefined : channel !== undefined && more === undefined;
    if (isWhole && (verb === "connect" || file === undefined)) return { verb, channel, file, leave: values.leave };
  } catch {
    // The usage error below applies.
  }
  throw new StartupError(usage);
}

/** Throws a StartupError that names the invalid fields, never their values. */
function readCredentials(channel: ConnectableChannel, file: string | undefined): ChannelCredentials {
  const result = channelCredentialsSchema.safeParse({ ...parseJson(file), channel });
  if (result.success) return result.data;
  throw new StartupError(result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
}

function parseJson(file: string | undefined): object {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file ?? 0, "utf8"));
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch {
    // The error below applies; the parser's message would quote the input.
  }
  throw new StartupError(`${file ?? "Standard input"} does not contain a JSON object`);
}

function describeChannel(listed: ListedChannel): string[] {
  if (!listed.connection) return [`${listed.channel}: ${env().simulatedDelivery ? "sandbox" : "not connected"}`];
  const { channel, connection, reports, orders, audiences } = listed;
  const { account, timeZone, connectedAt, connectedBy, problem, checkedAt } = connection;
  const rejected = Object.entries(reports?.rejected ?? {}).map(([code, count]) => `${count} ${code}`);
  const failed = reports?.lastError
    ? `; last error: ${reports.lastError}, next attempt ${formatTime(reports.dueAt)}`
    : "";
  return [
    `${channel}: account ${account} (${timeZone}), connected by ${connectedBy} at ${formatTime(connectedAt)}`,
    `last request at ${formatTime(checkedAt)}: ${problem ?? "OK"}`,
    `reports through ${formatTime(reports?.collectedUntil)}: ${reports?.accepted ?? 0} rows accepted, skipped: ${rejected.join(", ") || "none"}${failed}`,
    `line items: ${describeStates(orders, "delivering")}`,
    `audiences: ${describeStates(audiences, "uploaded")}`,
  ];
}

function describeStates(states: StateCounts, well: string): string {
  const { errors } = states;
  const words = `${states.well} ${well}, ${states.onTheWay} pending, ${states.failed} failed`;
  return errors.length > 0 ? `${words}: ${errors.join("; ")}` : words;
}

function formatTime(instant: Date | null | undefined): string {
  return instant ? instant.toISOString().slice(0, 16).replace("T", " ") : "-";
}
