import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

type CaughtMail = { to: string[]; raw: string; messageId: string };

/** A real SMTP server on a free port that takes mails down, and misbehaves as it is told. */
export async function startMailCatcher() {
  const caught: CaughtMail[] = [];
  const mood = {
    /** Recipients that are refused for good. */
    refused: /^$/,
    /** So many mails are read to the end of DATA, and then the connection breaks without an answer. */
    breaks: 0,
    /** So many mails are put off for now. */
    busy: 0,
    /** Says nothing more once a mail is begun, or once it has all of it; `held` counts the mails that it happened to. */
    silent: "never" as "never" | "before" | "after",
    held: 0,
  };
  const isSilent = (when: "before" | "after") => {
    if (mood.silent !== when) return false;
    mood.held += 1;
    return true;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onMailFrom(_from, _session, answer) {
      if (isSilent("before")) return;
      if (mood.busy <= 0) return answer();
      mood.busy -= 1;
      answer(Object.assign(new Error("Try later"), { responseCode: 451 }));
    },
    onRcptTo({ address }, _session, answer) {
      if (mood.refused.test(address)) answer(Object.assign(new Error("No such user"), { responseCode: 550 }));
      else answer();
    },
    onData(stream, session, answer) {
      text(stream).then((raw) => {
        const messageId = /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? "";
        caught.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, messageId });
        if (isSilent("after")) return;
        if (mood.breaks <= 0) return answer();
        mood.breaks -= 1;
        for (const connection of server.connections) Object(connection)._socket?.destroy();
      }, answer);
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    caught,
    mood,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}
