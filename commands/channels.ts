import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type ChannelCredentials,
  channelCredentialsSchema,
} from "#app/domain/delivery/channels/channel-credentials.ts";
import { connectChannel } from "#app/domain/delivery/channels/connect-channel.server.ts";
import { type ConnectableChannel, connectableChannels } from "#app/domain/delivery/channels/connectable.ts";
import { disconnectChannel } from "#app/domain/delivery/channels/disconnect-channel.server.ts";
import { type ListedChannel, listChannels, type States } from "#app/domain/delivery/channels/list-channels.server.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/**
 * `npm run channels -- connect google|meta [FILE] | list | disconnect google|meta [--leave]`: the accounts behind channels.
 * Credentials are JSON, from the file or from standard input, never an argument: those stand in the list of processes.
 */
const usage = "Usage: npm run channels -- connect google|meta [FILE] | list | disconnect google|meta [--leave]";

await runCommand(async (ctx) => {
  const { verb, channel, file, leave } = readArguments();
  if (verb === "list") {
    for (const listed of await listChannels(ctx)) print(linesOf(listed).join("\n\t"));
  } else if (verb === "connect" && channel) {
    const { account, timeZone } = await connectChannel(ctx, readCredentials(channel, file));
    print(`${channel} is account ${account} now, whose days are those of ${timeZone}`);
  } else if (verb === "disconnect" && channel) {
    await disconnectChannel(ctx, { channel, leave });
    print(`The sandbox stands behind ${channel} again`);
  } else throw new StartError(usage);
});

function readArguments() {
  try {
    const options = { leave: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [verb, named, file, more] = positionals;
    const channel = connectableChannels.find((one) => one === named);
    const isWhole = verb === "list" ? named === undefined : channel !== undefined && more === undefined;
    if (isWhole && (verb === "connect" || file === undefined)) return { verb, channel, file, leave: values.leave };
  } catch {
    // Said below.
  }
  throw new StartError(usage);
}

/** Says which field is wrong, never what it holds. */
function readCredentials(channel: ConnectableChannel, file: string | undefined): ChannelCredentials {
  const read = channelCredentialsSchema.safeParse({ ...parseJson(file), channel });
  if (read.success) return read.data;
  throw new StartError(read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
}

function parseJson(file: string | undefined): object {
  try {
    const given: unknown = JSON.parse(readFileSync(file ?? 0, "utf8"));
    if (typeof given === "object" && given !== null) return given;
  } catch {
    // Said below: the words of the error would quote what was read.
  }
  throw new StartError(`${file ?? "Standard input"} holds no JSON object`);
}

function linesOf(listed: ListedChannel): string[] {
  if (!listed.connection) return [`${listed.channel}: the sandbox`];
  const { channel, connection, reports, orders, audiences } = listed;
  const { account, timeZone, connectedAt, connectedBy, problem, checkedAt } = connection;
  const aside = Object.entries(reports?.refused ?? {}).map(([code, count]) => `${count} ${code}`);
  const failed = reports?.lastError ? `; failed: ${reports.lastError}, again at ${timeOf(reports.dueAt)}` : "";
  return [
    `${channel}: account ${account} (${timeZone}), connected by ${connectedBy} at ${timeOf(connectedAt)}`,
    `last request at ${timeOf(checkedAt)}: ${problem ?? "went well"}`,
    `reports until ${timeOf(reports?.collectedUntil)}: ${reports?.accepted ?? 0} rows taken, left aside: ${aside.join(", ") || "none"}${failed}`,
    `line items: ${statesOf(orders, "delivering")}`,
    `audiences: ${statesOf(audiences, "there")}`,
  ];
}

function statesOf(states: States, well: string): string {
  const { errors } = states;
  const words = `${states.well} ${well}, ${states.onTheWay} on the way, ${states.failed} held up`;
  return errors.length > 0 ? `${words}: ${errors.join("; ")}` : words;
}

function timeOf(instant: Date | null | undefined): string {
  return instant ? instant.toISOString().slice(0, 16).replace("T", " ") : "-";
}
