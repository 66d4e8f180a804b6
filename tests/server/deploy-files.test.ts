import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { validate } from "dockerfile-utils";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { projectFile } from "#app/project-file.server.ts";
import { fileLimits, payoutTimeoutMs, tableLimits } from "#app/web/request-limits.ts";
import { hasCaddy, hasNginx, nginxArguments } from "#tests/support/servers/shipped-proxies.ts";

const read = (path: string) => readFileSync(projectFile(path), "utf8");
const files = readdirSync(projectFile("deploy"));
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json")));
const commandOf = (script: string) => (scripts[script] ?? "").replace(/^exec /, "");

describe("the files for deployment", () => {
  const settings = new Set([...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));

  test.each(files.filter((name) => /service$|^Dockerfile|conf$|^Caddyfile/.test(name)))(
    "%s names only settings that there are",
    (name) => {
      const text = read(`deploy/${name}`);
      const assigned = [...text.matchAll(/\b([A-Z][A-Z0-9_]{3,})=/g)].flatMap(([, setting]) => setting ?? []);
      const unknown = assigned.filter((setting) => setting !== "NODE_ENV" && !settings.has(setting));
      expect(unknown).toEqual([]);
    },
  );

  test.each([
    ["endcap@.service", "start"],
    ["endcap-worker.service", "worker"],
  ])("%s runs npm's %s without npm", (name, script) => {
    expect(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(read(`deploy/${name}`))?.[1]).toBe(commandOf(script));
  });

  test("a unit gives a stop more time than it takes", () => {
    const text = read("deploy/endcap@.service");
    const seconds = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1]);
    // docs/operations.md, Stopping.
    expect(seconds("TimeoutStopSec")).toBeGreaterThan(36 + seconds("DRAIN_SECONDS"));
  });

  test("the image contains a release, and runs what npm start runs, by its init process, as an ordinary user", () => {
    const text = read("deploy/Dockerfile");
    // tests/server/release.test.ts runs that release.
    expect(text).toContain("RUN npm run release -- /app");
    expect([...text.matchAll(/^COPY --from=build (\S+)/gm)].map(([, path]) => path)).toEqual([
      "/usr/local/bin/node",
      "/app",
    ]);
    const command = z.array(z.string()).parse(JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? "[]"));
    expect(command.slice(0, 2)).toEqual(["sh", "server/init.sh"]);
    expect(command.slice(2).join(" ")).toBe(commandOf("start"));
    expect(text.indexOf("USER node")).toBeGreaterThan(text.indexOf("COPY --from=build"));
    expect(/^FROM node:(\d+)/m.exec(text)?.[1]).toMatch(/^(22|24)$/);
    // docs/operations.md, Stopping.
    expect(Number(/docker run .*--stop-timeout (\d+)/.exec(text)?.[1])).toBeGreaterThan(36);
  });
});

test("a linter finds nothing in the Dockerfile, and finds a wrong instruction, argument or repetition", () => {
  const faults = (text: string) => validate(text).map(({ message }) => message);
  const text = read("deploy/Dockerfile");
  expect(faults(text)).toEqual([]);
  for (const [right, wrong, fault] of [
    ["WORKDIR /app", "WORKDIRR /app", "Unknown instruction: WORKDIRR"],
    ["EXPOSE 3000", "EXPOSE http", "Invalid containerPort: http"],
    ["--interval=10s", "--intervals=10s", "Unknown flag: intervals"],
    ["STOPSIGNAL SIGTERM", 'CMD ["true"]', "There can only be one CMD instruction"],
  ] as const) {
    expect(text).toContain(right);
    expect(faults(text.replace(right, wrong)), wrong).toEqual([expect.stringContaining(fault)]);
  }
});

describe("deploy/compose.yaml", () => {
  const settings = new Set([...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
  const text = read("deploy/compose.yaml");
  const service = z.looseObject({
    image: z.string(),
    environment: z.record(z.string(), z.string()).default({}),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
    volumes: z.array(z.string()).default([]),
    command: z.array(z.string()).optional(),
    read_only: z.boolean().default(false),
    healthcheck: z.object({ test: z.array(z.string()) }).optional(),
    stop_grace_period: z.string().optional(),
  });
  const file = z
    .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
    .parse(parse(text, { merge: true }));
  const services = Object.entries(file.services);
  const ours = services.filter(([, { image }]) => image === "endcap");

  test("is a file of the Compose Specification, whose schema finds unknown keys and wrong values", () => {
    const isCompose = new Ajv({ strict: false }).compile<unknown>(
      JSON.parse(read("tests/support/schemas/compose-spec.json")),
    );
    const faults = (changed: string) => {
      isCompose(parse(changed, { merge: true }));
      return (isCompose.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    };
    expect(faults(text)).toEqual([]);
    for (const [right, wrong, fault] of [
      ["stop_grace_period: 60s", "stop_grace_periods: 60s", "must NOT have additional properties"],
      ["condition: service_healthy", "condition: healthy", "must be equal to one of the allowed values"],
      ["tmpfs: [/tmp]", "tmpfs: { tmp: yes }", "must be array"],
      ["networks:", "network:", " must NOT have additional properties"],
    ] as const) {
      expect(text).toContain(right);
      expect(faults(text.replace(right, wrong)), wrong).toEqual(
        expect.arrayContaining([expect.stringContaining(fault)]),
      );
    }
  });

  test("runs two servers and a worker with settings that there are, on read-only files", () => {
    expect(ours.map(([name]) => name)).toEqual(["app-1", "app-2", "worker"]);
    for (const [name, { environment, read_only, healthcheck, stop_grace_period, volumes }] of ours) {
      expect(
        Object.keys(environment).filter((setting) => !settings.has(setting)),
        name,
      ).toEqual([]);
      expect(read_only, name).toBe(true);
      expect(healthcheck?.test.join(" "), name).toContain(name === "worker" ? ":3100/readyz" : ":3000/readyz");
      // docs/operations.md, Stopping.
      expect(Number.parseInt(stop_grace_period ?? "", 10), name).toBeGreaterThan(41);
      expect(volumes, name).toEqual([`${name}:/data`]);
      expect(new URL((environment.DATABASE_URL ?? "").replace(/\$\{.*?\}/g, "password")).port, name).toBe("6432");
    }
    expect(file.services.worker?.command?.slice(2).join(" ")).toBe(commandOf("worker"));
  });

  test("names only services and volumes that it has, and images by version", () => {
    for (const [name, { image, depends_on, volumes }] of services) {
      for (const other of Object.keys(depends_on)) expect(Object.keys(file.services), name).toContain(other);
      for (const volume of volumes) expect(Object.keys(file.volumes), name).toContain(volume.split(":")[0]);
      if (image !== "endcap") expect(image, name).toMatch(/:[a-zA-Z]*[\w.-]*\d/);
    }
  });

  test("waits for services that say when they are ready", () => {
    for (const [name, { depends_on }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const needed = condition === "service_healthy" ? file.services[other]?.healthcheck : true;
        expect(condition, `${name}: ${other}`).not.toBe("service_started");
        expect(needed, `${name}: ${other}`).toBeDefined();
      }
    }
  });

  test("has the Caddyfile in front of its servers", () => {
    const { environment = {} } = file.services.proxy ?? {};
    const asked = [...read("deploy/Caddyfile").matchAll(/\{\$(\w+):/g)].map(([, name]) => name);
    expect(Object.keys(environment).sort()).toEqual([...new Set(asked)].sort());
    const servers = ours.filter(([, { environment }]) => environment.WORKER === "off").map(([name]) => `${name}:3000`);
    expect([environment.SERVER_1, environment.SERVER_2]).toEqual(servers);
    expect(text).toContain("      - source: caddyfile\n        target: /etc/caddy/Caddyfile\n");
    expect(text).toContain("  caddyfile:\n    file: ./Caddyfile\n");
  });

  test("keeps its settings out of the image", () => {
    // They are in deploy/.env, and a pattern without ** is one for the root.
    expect(read(".dockerignore").split("\n")).toContain("**/.env");
  });

  test("trusts the addresses of its own network", () => {
    const { networks } = z
      .object({
        networks: z.object({
          default: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }),
        }),
      })
      .parse(parse(text, { merge: true }));
    const subnets = networks.default.ipam.config.map(({ subnet }) => subnet);
    for (const [name, { environment }] of ours) expect([environment.TRUSTED_PROXIES], name).toEqual(subnets);
  });

  test("has no secret of its own: each is required, and in the example without a value", () => {
    const required = new Set([...text.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name]) => name));
    expect([...text.matchAll(/\$\{([A-Z_]+)([^}]*)\}/g)].filter(([, , rule]) => rule !== ":?")).toEqual([]);
    const example = read("deploy/compose.env.example");
    expect([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).sort()).toEqual([...required].sort());
    expect([...example.matchAll(/^([A-Z_]+)=./gm)].map(([, name]) => name)).toEqual(["PUBLIC_URL"]);
  });
});

/** No program here renders a chart, so what can be wrong without one is checked. */
describe("deploy/helm", () => {
  const names = readdirSync(projectFile("deploy/helm/templates"));
  const templates = names.map((name) => ({ name, text: read(`deploy/helm/templates/${name}`) }));
  const all = templates.map(({ text }) => text).join("\n");
  const settings = new Set([...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
  const values: unknown = parse(read("deploy/helm/values.yaml"));
  /** The values by their paths, down to what the templates pass on as a whole. */
  const paths = (value: unknown, path: string[] = []): string[] => {
    const isPassedOn = ["resources", "settings", "annotations"].includes(path.at(-1) ?? "");
    if (value === null || typeof value !== "object" || Array.isArray(value) || isPassedOn) return [path.join(".")];
    return Object.entries(value).flatMap(([key, one]) => paths(one, [...path, key]));
  };

  test("uses each of its values, and no other", () => {
    const used = [...all.matchAll(/\.Values\.([A-Za-z.]+)/g)].flatMap(([, path]) => path ?? []);
    const named = new Set(used.map((path) => path.replace(/^settings\..*/, "settings")));
    expect([...named].sort()).toEqual(paths(values).sort());
  });

  test("has a schema that its values fit, and that names each of them", () => {
    const json: unknown = JSON.parse(read("deploy/helm/values.schema.json"));
    const schema = z.fromJSONSchema(z.looseObject({}).parse(json));
    expect(schema.safeParse(values).error).toBeUndefined();
    const change = (path: string, value: unknown) => withValue(values, path.split("."), value);
    for (const path of paths(values)) {
      const wrong = /(?:annotations|resources|settings)$/.test(path) ? "text" : { of: "another type" };
      expect(schema.safeParse(change(path, wrong)).success, path).toBe(false);
    }
    for (const path of ["replica", "image.name", "worker.drainSeconds", "ingress.hosts", "networkPolicy.on"]) {
      expect(schema.safeParse(change(path, 1)).success, path).toBe(false);
    }
    for (const [path, value] of [
      ["replicas", 0],
      ["drainSeconds", -1],
    ] as const) {
      expect(schema.safeParse(change(path, value)).success, path).toBe(false);
    }
  });

  test("includes parts that there are, and ends each block", () => {
    const defined = [...all.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    const included = new Set([...all.matchAll(/include "([^"]+)"/g)].map(([, name]) => name));
    expect([...included].sort()).toEqual(defined.sort());
    for (const { name, text } of templates) {
      const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
      expect(count(/\{\{-? *(?:if|with|range|define)\b/g), name).toBe(count(/\{\{-? *end\b/g));
    }
  });

  test("names settings that there are, and serves where the product does", () => {
    const assigned = [...all.matchAll(/name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name]) => name);
    expect(assigned.filter((name) => !settings.has(name))).toEqual([]);
    expect(assigned).toEqual(expect.arrayContaining(["WORKER", "DRAIN_SECONDS", "WORKER_HEALTH_PORT"]));
    const args = (name: string) => /args: \[(.*)\]/.exec(read(`deploy/helm/templates/${name}.yaml`))?.[1]?.split(", ");
    expect(args("worker")?.slice(2).join(" ")).toBe(commandOf("worker"));
    expect(args("migration")?.join(" ")).toBe(commandOf("migrate"));
  });

  test.each([
    ["servers", "http", 3000],
    ["worker", "health", 3100],
  ])("%s are asked at the port where they serve, by paths that there are", (name, port, number) => {
    const text = read(`deploy/helm/templates/${name}.yaml`);
    expect([...text.matchAll(/\{ name: (\w+), containerPort: (\d+) \}/g)].map(([, ...found]) => found)).toEqual([
      [port, String(number)],
    ]);
    const probes = [...text.matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\S+), port: (\w+) \}/g)].map(
      ([, ...found]) => found,
    );
    expect(probes).toEqual([
      ["startup", "/healthz", port],
      ["readiness", "/readyz", port],
      ["liveness", "/healthz", port],
    ]);
    if (name === "worker") expect(text).toMatch(/name: WORKER_HEALTH_PORT\n +value: "3100"/);
    expect(read("deploy/helm/templates/network-policy.yaml")).toContain(`{ protocol: TCP, port: ${port} }`);
  });

  test("requires the settings without which its servers do not share files, or take all visitors for one", () => {
    const needed = [...all.matchAll(/required "settings\.(\w+) is required/g)].map(([, name]) => name);
    expect(needed).toEqual(["PUBLIC_URL", "S3_BUCKET", "TRUSTED_PROXIES"]);
    const { settings: given } = z.looseObject({ settings: z.record(z.string(), z.string()) }).parse(values);
    expect(Object.keys(given).filter((name) => given[name] === "")).toEqual(needed);
    expect(given).toEqual({ PUBLIC_URL: "", S3_BUCKET: "", TRUSTED_PROXIES: "", PROXY_REQUEST_IDS: "off" });
    const schema = z
      .looseObject({ properties: z.looseObject({ settings: z.looseObject({ required: z.array(z.string()) }) }) })
      .parse(JSON.parse(read("deploy/helm/values.schema.json")));
    expect(schema.properties.settings.required).toEqual(needed);
    for (const name of needed) expect(read("docs/deploy.md")).toContain(`--set settings.${name}=`);
  });

  test("scrapes servers and workers by their services, under the name that the alerts ask for", () => {
    const ports = [...all.matchAll(/\{ name: (\w+), containerPort: \d+ \}/g)].map(([, port]) => port);
    const serviced = [...all.matchAll(/\{ name: (\w+), port: \d+, targetPort: (\w+) \}/g)];
    const monitor = read("deploy/helm/templates/service-monitor.yaml");
    const scraped = [...(/range list (.*?) \}\}\n +- port: \{\{ \. \}\}/.exec(monitor)?.[1] ?? "").matchAll(/\w+/g)];
    expect(scraped.map(([port]) => port)).toEqual(ports);
    expect(serviced.map(([, name, target]) => [name, target])).toEqual(ports.map((port) => [port, port]));
    const job = /targetLabel: job, replacement: (\w+)/.exec(monitor)?.[1];
    const asked = [...read("deploy/alerts.yml").matchAll(/\bjob="(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(asked)]).toEqual([job]);
  });

  test.each(templates.filter(({ name }) => name.endsWith(".yaml")))(
    "$name is YAML once it is filled in",
    ({ text }) => {
      const filled = text
        .replace(/^ *\{\{-? *(?:if|with|range|end|include|toYaml)\b.*\}\}$/gm, "")
        .replace(/\{\{.*?\}\}/g, "filled");
      const documents = parseAllDocuments(filled);
      expect(documents.flatMap((one) => ("errors" in one ? one.errors : []))).toEqual([]);
      for (const one of documents)
        expect(z.object({ apiVersion: z.string(), kind: z.string() }).safeParse(one.toJS()).success).toBe(true);
    },
  );
});

test("nginx and the chart's ingress admit the largest upload that the server does, and wait as long as it takes to answer", () => {
  const largest = Math.max(
    ...[uploadLimits, creativeLimits].map(({ totalBytes }) => fileLimits(totalBytes).maxBodyBytes ?? 0),
  );
  const slowest = Math.max(payoutTimeoutMs, Number(tableLimits.timeout));
  for (const [file, size, seconds] of [
    ["deploy/nginx.conf", /client_max_body_size (\d+)m;/, /proxy_read_timeout (\d+)s;/],
    ["deploy/helm/values.yaml", /proxy-body-size: (\d+)m/, /proxy-read-timeout: "(\d+)"/],
  ] as const) {
    expect(Number(size.exec(read(file))?.[1]) * 1024 * 1024, file).toBeGreaterThanOrEqual(largest);
    expect(Number(seconds.exec(read(file))?.[1]) * 1_000, file).toBeGreaterThan(slowest);
  }
});

test.skipIf(!hasNginx)("nginx accepts its configuration (needs nginx)", () => {
  const folder = mkdtempSync(join(tmpdir(), "endcap-nginx-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tried = spawnSync("nginx", ["-t", ...nginxArguments(folder)], { encoding: "utf8" });
  expect(tried.stderr).toContain("test is successful");
});

test.skipIf(!hasCaddy)("Caddy accepts its configuration (needs Caddy)", () => {
  const folder = mkdtempSync(join(tmpdir(), "endcap-caddy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const complaints = (text: string) => {
    const file = join(folder, "Caddyfile");
    // It asks the servers whether they are ready: nobody listens on port 9.
    writeFileSync(file, text.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:9"));
    const { status, stderr } = spawnSync("caddy", ["validate", "--adapter", "caddyfile", "--config", file], {
      env: { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder },
      encoding: "utf8",
    });
    const warnings = stderr.split("\n").filter((line) => line.includes('"level":"warn"'));
    return status === 0 ? warnings : [stderr];
  };
  const text = read("deploy/Caddyfile");
  expect(complaints(text)).toEqual([]);
  expect(complaints(text.replace("health_uri", "health_url"))).toEqual([expect.stringContaining("health_url")]);
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
  "systemd accepts the units (needs systemd-analyze)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "endcap-units-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const complaints = (name: string, text: string) => {
      const file = join(folder, name.replace("@", "@3000"));
      writeFileSync(file, text.replace("/usr/bin/node", process.execPath));
      const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
      return `${stdout}${stderr}`.split("\n").filter((line) => line.includes("endcap"));
    };
    for (const name of ["endcap@.service", "endcap-worker.service"]) {
      const text = read(`deploy/${name}`);
      expect(complaints(name, text), name).toEqual([]);
      const wrong = text.replace("ProtectSystem=strict", "ProtectSystems=strict");
      expect(complaints(name, wrong), name).toEqual([expect.stringContaining("ProtectSystems")]);
    }
  },
);

/** A copy of `tree` with `value` at a path. */
function withValue(tree: unknown, [key = "", ...rest]: string[], value: unknown): Record<string, unknown> {
  const branch = z.record(z.string(), z.unknown()).parse(tree ?? {});
  return { ...branch, [key]: rest.length > 0 ? withValue(branch[key], rest, value) : value };
}
