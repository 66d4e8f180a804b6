import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { main } from "assemblyscript/asc";

const committed = resolve(import.meta.dirname, "kernel.wasm");

/** `npm run kernel`: compiles `assembly` to `kernel.wasm`. The application needs only the compiled file. */
export async function compileKernel(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-kernel-"));
  try {
    const out = join(folder, "kernel.wasm");
    const source = join(import.meta.dirname, "assembly/index.ts");
    const flags = ["-O3", "--noAssert", "--uncheckedBehavior", "always", "--runtime", "stub", "--enable", "simd"];
    const { error, stderr } = await main([source, "--outFile", out, "--baseDir", import.meta.dirname, ...flags]);
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(committed, await compileKernel());
