import { readFileSync, writeFileSync } from "node:fs";
import { cycloneDx } from "#app/cyclonedx.ts";
import { projectFile } from "#app/project-file.server.ts";
import { print } from "./command.ts";

/** `npm run sbom [-- FILE]`: writes the software bill of materials of the production dependencies. */
const [file = "sbom.cdx.json"] = process.argv.slice(2);
const bill = cycloneDx(JSON.parse(readFileSync(projectFile("package-lock.json"), "utf8")));
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
print(`${bill.components.length} packages written to ${file}`);
