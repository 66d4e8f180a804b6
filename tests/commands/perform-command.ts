import { vi } from "vitest";

type DatabaseCommand = {
  perform: (input: { args: readonly string[]; ownerUrl: string }) => Promise<number>;
};

/** Performs an operator's command on the open database, without a process of its own, and returns what it printed. */
export async function perform(
  ownerUrl: string,
  command: DatabaseCommand,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const { exitCode } = process;
  try {
    process.exitCode = 0;
    const code = await command.perform({ args, ownerUrl });
    // A command that sets its process's exit code itself does not end the test's process with it.
    return { code: code || Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = exitCode;
    stdout.end();
    stderr.end();
  }
}

/** The same as one text: what the command printed, or its exit code and what it says is wrong. */
export async function performCommand(ownerUrl: string, command: DatabaseCommand, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await perform(ownerUrl, command, ...args);
  return code === 0 ? stdout : `${code}: ${stderr}`;
}

function capture(stream: NodeJS.WriteStream) {
  const written: string[] = [];
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  return { text: () => written.join(""), end: () => spy.mockRestore() };
}
