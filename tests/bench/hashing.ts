import { spawnSync } from "node:child_process";
import { RowReader } from "#app/domain/audiences/files/row-reader.ts";
import { TextFileReader } from "#app/domain/audiences/files/text-file-reader.ts";
import { MemberKernel } from "#app/domain/audiences/kernel/member-kernel.server.ts";
import { customers } from "./customers.ts";
import { pinTo } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";

const piece = 256 * 1024;

/**
 * Row 5: a file's addresses found, checked, normalized and hashed by one core, against OpenSSL's own speed of hashing.
 */
export async function hashing(): Promise<Row[]> {
  if (spawnSync("openssl", ["version"]).status !== 0) {
    return [{ row: "5", work: "normalize and hash", reached: "openssl is not installed", goal: "≥ 0.6×, then 1.0×" }];
  }
  pinTo(1, process.pid);
  const members = new MemberKernel();
  const { bytes, rows } = customers({ columns: 1 });
  const read = async () => {
    members.clear();
    const reader = new RowReader((identifiers) => members.addPerson(identifiers), undefined);
    const file = new TextFileReader(reader, {
      encoding: { encoding: undefined, source: "detected" },
      file: 0,
      fastPath: members,
    });
    for (let from = 0; from < bytes.length; from += piece) file.push(bytes.subarray(from, from + piece));
    file.end();
    if (reader.counts.rowsRead !== rows) throw new Error(`${reader.counts.rowsRead} rows instead of ${rows}`);
  };
  const ratio = await medianRatio({
    ours: async () => rows / (await secondsOf(read)),
    theirs: async () => hashesPerSecond(),
  });
  const work = `normalize and hash ${(rows / 1e6).toFixed(1)} M addresses, one core, against openssl speed`;
  return [{ row: "5", work, reached: `${times(ratio)} its rate`, goal: "≥ 0.6×, then 1.0×" }];
}

function hashesPerSecond(): number {
  const args = ["-c", "1", "openssl", "speed", "-elapsed", "-seconds", "1", "-evp", "sha256", "-bytes", "25"];
  const ran = spawnSync("taskset", args, { encoding: "utf8" });
  const found = /sha256\s+([\d.]+)k/i.exec(ran.stdout);
  if (!found) throw new Error(ran.stderr);
  return (Number(found[1]) * 1_000) / 25;
}
