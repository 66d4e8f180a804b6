import { z } from "zod";

const dependencyNames = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  name: z.string(),
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      /** Absent for packages of other platforms, which npm did not resolve. */
      version: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      dependencies: dependencyNames,
      optionalDependencies: dependencyNames,
    }),
  ),
});
type Lock = z.output<typeof lockSchema>;
type Locked = Lock["packages"][string];

const algorithms: Record<string, string> = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };

/**
 * Returns the software bill of materials of package-lock.json's production packages as CycloneDX 1.5. `npm sbom` fails
 * on this lock file, which lists packages of other platforms without a version, and writes the registry's host. The
 * output is deterministic.
 */
export function cycloneDx(lockFile: unknown) {
  const lock = lockSchema.parse(lockFile);
  const production = Object.entries(lock.packages).filter(([, found]) => found.version && !found.dev);
  const root = purlOf(lock.name, lock.version);
  const components = new Map<string, ReturnType<typeof componentOf>>();
  const uses = new Map<string, Set<string>>();
  for (const [path, found] of production) {
    const ref = refOf(path, found) ?? root;
    if (path) components.set(ref, componentOf(path, found));
    uses.set(ref, new Set([...(uses.get(ref) ?? []), ...usedBy(lock, path)]));
  }
  const byRef = <T>(map: Map<string, T>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": root, name: lock.name, version: lock.version, purl: root },
    },
    components: byRef(components).map(([, component]) => component),
    dependencies: byRef(uses).map(([ref, used]) => ({ ref, dependsOn: [...used].sort() })),
  };
}

function componentOf(path: string, found: Locked) {
  const name = nameOf(path, found);
  const purl = purlOf(name, found.version ?? "");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version: found.version,
    scope: found.optional ? "optional" : "required",
    hashes: (found.integrity ?? "").split(/\s+/).flatMap(hashOf),
    licenses: found.license ? [licenseOf(found.license)] : [],
    purl,
  };
}

/** `MIT` is a license id, `(MIT OR Apache-2.0)` an expression. */
function licenseOf(text: string) {
  return /\s/.test(text) ? { expression: text } : { license: { id: text } };
}

function hashOf(integrity: string) {
  const [algorithm = "", digest = ""] = integrity.split(/-(.*)/);
  const alg = algorithms[algorithm];
  return alg ? [{ alg, content: Buffer.from(digest, "base64").toString("hex") }] : [];
}

/** Lists a package's dependencies, resolved as Node resolves them: in its own folder first, then in those above. */
function usedBy({ packages }: Lock, path: string): string[] {
  const entry = packages[path];
  const names = Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies });
  return names.flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
      const candidate = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
      const used = packages[candidate];
      if (used) return refOf(candidate, used) ?? [];
      if (!folder) return [];
    }
  });
}

function refOf(path: string, found: Locked): string | undefined {
  return path && found.version ? purlOf(nameOf(path, found), found.version) : undefined;
}

/** For an alias, the lock file has the package's real name; the path contains the alias. */
function nameOf(path: string, { name }: Locked): string {
  return name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Returns a package's URL (purl), which identifies it independently of the registry. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
}
