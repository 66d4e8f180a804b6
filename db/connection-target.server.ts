import { readFileSync } from "node:fs";
import { checkServerIdentity, type ConnectionOptions as TlsOptions } from "node:tls";
import { StartupError } from "#app/startup-error.ts";

export type ConnectionTarget = {
  /** Without the parameters about TLS, which each driver reads in its own way. */
  url: string;
  /** `prefer`: encrypted when the server offers TLS. */
  tls: false | "prefer" | TlsOptions;
};

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof modes)[number];

/**
 * Returns how to connect to the database at a URL, with libpq's meaning of `sslmode`, `sslrootcert`, `sslcert` and
 * `sslkey` (https://www.postgresql.org/docs/current/libpq-ssl.html):
 *
 * - `disable`: never encrypted. `prefer`, the default: encrypted if the server offers it, the certificate is not
 *   checked.
 * - `require`: encrypted; the certificate is checked only if `sslrootcert` is set, like `verify-ca`.
 * - `verify-ca`: the certificate has to be signed by `sslrootcert`.
 * - `verify-full`: it also has to be issued for the host. Without `sslrootcert`, or with `sslrootcert=system`, the
 *   certificate authorities of Node.js are trusted.
 *
 * A host that begins with a slash (`%2Fvar%2Frun%2Fpostgresql`) is the folder of a Unix socket, which is never
 * encrypted.
 *
 * Throws a StartupError that names the setting and the parameter.
 */
export function connectionTarget(databaseUrl: string, setting = "DATABASE_URL"): ConnectionTarget {
  const url = new URL(databaseUrl);
  const take = (name: string): string | undefined => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value === "" ? undefined : value;
  };
  const mode = parseMode(setting, take("sslmode"));
  const [rootCert, cert, key] = [take("sslrootcert"), take("sslcert"), take("sslkey")];
  if (mode === "disable" || hostOf(url).startsWith("/")) return { url: url.href, tls: false };
  if (rootCert === "system" && mode !== "verify-full") {
    throw new StartupError(`${setting}: sslrootcert=system requires sslmode=verify-full`);
  }
  if (mode === "verify-ca" && !rootCert) {
    throw new StartupError(
      `${setting}: sslmode=verify-ca requires the certificate authority's file: sslrootcert in the URL, or DATABASE_CA_FILE`,
    );
  }
  if (mode === "prefer" && !cert && !key) return { url: url.href, tls: "prefer" };
  const verifies = mode === "verify-full" || (mode !== "prefer" && rootCert !== undefined);
  return {
    url: url.href,
    tls: {
      ...(rootCert && rootCert !== "system" && { ca: readPem(setting, "sslrootcert", rootCert) }),
      ...(cert && { cert: readPem(setting, "sslcert", cert) }),
      ...(key && { key: readPem(setting, "sslkey", key) }),
      rejectUnauthorized: verifies,
      // The drivers do not name the host when it is an IP address.
      checkServerIdentity: (_name, certificate) =>
        mode === "verify-full" ? checkServerIdentity(hostOf(url), certificate) : undefined,
    },
  };
}

/** Returns the URL with this certificate authority's file, unless it has one or does not use TLS. */
export function withRootCertificate(databaseUrl: string, file: string | undefined): string {
  const url = new URL(databaseUrl);
  if (!file || url.searchParams.has("sslrootcert") || url.searchParams.get("sslmode") === "disable") return databaseUrl;
  url.searchParams.set("sslrootcert", file);
  if (!url.searchParams.has("sslmode")) url.searchParams.set("sslmode", "verify-full");
  return url.href;
}

function parseMode(setting: string, given: string | undefined): Mode {
  const mode = modes.find((one) => one === (given ?? "prefer"));
  if (!mode) throw new StartupError(`${setting}: sslmode=${given} is not one of ${modes.join(", ")}`);
  return mode;
}

function readPem(setting: string, name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new StartupError(`${setting}: the file of ${name}, ${path}, cannot be read`);
  }
}

/** Returns the host of a URL; IPv6 addresses are in brackets in URLs only. */
export function hostOf({ hostname }: URL): string {
  return decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
}
