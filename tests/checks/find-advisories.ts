import semver from "semver";
import { z } from "zod";

const advisoriesSchema = z.array(
  z.strictObject({
    id: z.string().regex(/^(GHSA(-[0-9a-z]{4}){3}|CVE-\d{4}-\d{4,})$/),
    url: z.url({ protocol: /^https$/ }),
    package: z.string(),
    affected: z.string().refine((range) => semver.validRange(range) !== null, "must be a range of versions"),
    fixed: z.string().refine((version) => semver.valid(version) !== null, "must be a version"),
    reason: z.string().min(10),
    /** Where in node_modules an affected version is tolerated, and why. */
    accepted: z.record(z.string(), z.string().min(10)).default({}),
  }),
);

export type Advisory = z.output<typeof advisoriesSchema>[number];

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ name: z.string().optional(), version: z.string().optional() })),
});

export function parseAdvisories(json: string): Advisory[] {
  return advisoriesSchema.parse(JSON.parse(json));
}

/**
 * Returns a line for each installed package that an advisory affects, and for each exception that is no longer needed.
 */
export function findAdvisories(advisories: Advisory[], lockJson: string): string[] {
  const { packages } = lockSchema.parse(JSON.parse(lockJson));
  const installed = Object.entries(packages).map(([path, { name, version }]) => {
    return { path, name: name ?? path.replace(/^.*node_modules\//, ""), version };
  });
  return advisories.flatMap((advisory) => {
    const affected = installed.filter(
      ({ name, version }) =>
        name === advisory.package &&
        version !== undefined &&
        semver.satisfies(version, advisory.affected, { includePrerelease: true }),
    );
    const paths = affected.map(({ path }) => path);
    const unneeded = Object.keys(advisory.accepted).filter((path) => !paths.includes(path));
    return [
      ...affected
        .filter(({ path }) => !(path in advisory.accepted))
        .map(
          ({ path, version }) => `${path} ${version}: ${advisory.id}, fixed in ${advisory.fixed}. ${advisory.reason}`,
        ),
      ...unneeded.map((path) => `${path}: the exception for ${advisory.id} is no longer needed`),
    ];
  });
}
