import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

type CaughtMail = { from: string; to: string[]; raw: string; messageId: string };

type Refusal = { recipients: RegExp; at: "CONN" | "MAIL FROM" | "RCPT TO" | "DATA"; reply: string };

/** Starts a real SMTP server on a free port that records mails, and fails as configured. */
export async function startMailCatcher() {
  const caught: CaughtMail[] = [];
  const behavior = {
    /**
     * Whose mails are rejected, at which command (`CONN`: instead of a greeting) and with which reply; undefined:
     * nobody's.
     */
    refused: undefined as Refusal | undefined,
    /** The number of mails that are read to the end of DATA, after which the connection breaks without a response. */
    breaks: 0,
    /** The number of mails that are rejected temporarily. */
    busy: 0,
    /** Stops responding once a mail begins, or once all of it has arrived; `held` counts these mails. */
    silent: "never" as "never" | "before" | "after",
    held: 0,
  };
  const isSilent = (when: "before" | "after") => {
    if (behavior.silent !== when) return false;
    behavior.held += 1;
    return true;
  };
  /** The error of a refused mail; undefined if it goes on. */
  const refusal = (at: Refusal["at"], recipient: string) => {
    const { refused } = behavior;
    if (refused?.at !== at || !refused.recipients.test(recipient)) return undefined;
    const [code, ...text] = refused.reply.split(" ");
    return Object.assign(new Error(text.join(" ")), { responseCode: Number(code) });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onConnect(_session, callback) {
      callback(refusal("CONN", ""));
    },
    onMailFrom(_from, _session, callback) {
      if (isSilent("before")) return;
      // No recipient is known yet.
      const rejection = refusal("MAIL FROM", "");
      if (rejection) return callback(rejection);
      if (behavior.busy <= 0) return callback();
      behavior.busy -= 1;
      callback(Object.assign(new Error("Try later"), { responseCode: 451 }));
    },
    onRcptTo({ address }, _session, callback) {
      const rejection = refusal("RCPT TO", address);
      if (rejection) callback(rejection);
      else callback();
    },
    onData(stream, session, callback) {
      text(stream).then((raw) => {
        const [recipient] = session.envelope.rcptTo;
        const rejection = refusal("DATA", recipient?.address ?? "");
        if (rejection) return callback(rejection);
        const messageId = /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? "";
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        caught.push({ from, to: session.envelope.rcptTo.map(({ address }) => address), raw, messageId });
        if (isSilent("after")) return;
        if (behavior.breaks <= 0) return callback();
        behavior.breaks -= 1;
        for (const connection of server.connections) Object(connection)._socket?.destroy();
      }, callback);
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    caught,
    mood: behavior,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}
