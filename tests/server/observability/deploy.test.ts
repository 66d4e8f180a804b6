import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { parseDocument } from "yaml";
import { z } from "zod";
import { projectFile } from "#app/project-file.server.ts";
import { jobs } from "#server/jobs/jobs.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { parseExposition } from "#tests/support/exposition.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";

const db = useDatabase();

/** The labels that each metric of a running server has, by its name as queries write it. */
const labelsByName = new Map<string, Set<string>>();
/** Prometheus adds these to whatever it scrapes. */
const targetLabels = ["job", "instance"];

function rememberLabels(sample: string): void {
  const [name = "", labels = ""] = sample.split("{", 2);
  const known = labelsByName.get(name) ?? new Set(targetLabels);
  for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
  labelsByName.set(name, known);
}

beforeAll(async () => {
  const token = "m".repeat(40);
  const environment = { METRICS_TOKEN: token, DEMO_DATA: "off", LOG_LEVEL: "silent" };
  await db().execute(sql`insert into backups (taken_at) values (now())`);
  const server = await startAppServer({ databaseUrl: db.ownerUrl(), environment });
  try {
    await fetch(`${server.origin}/terms`);
    // Each job runs at the start, so that its metrics have samples.
    await vi.waitFor(
      async () => {
        const response = await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
        const samples = parseExposition(await response.text());
        for (const key of samples.keys()) rememberLabels(key);
        expect(samples.has('endcap_job_runs_total{name="settle_delivery",result="success"}')).toBe(true);
      },
      { timeout: 30_000, interval: 200 },
    );
  } finally {
    await server.kill();
  }
  labelsByName.set("up", new Set(targetLabels));
}, 180_000);

/** Returns what a query asks for: its metrics with the labels that it selects them by, and syntax errors. */
function read(query: string) {
  // Grafana replaces its variables before Prometheus sees the query.
  const text = query.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");
  const selectors: { name: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  const errors: string[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to, node }) {
      const written = text.slice(from, to);
      if (type.isError) errors.push(`at ${from}: ${text}`);
      if (name === "VectorSelector") selectors.push({ name: written.split("{", 1)[0]?.trim() ?? "", labels: [] });
      if (name === "LabelName" && node.parent?.name === "GroupingLabels") grouping.push(written);
      else if (name === "LabelName") selectors.at(-1)?.labels.push(written);
    },
  });
  return { selectors, grouping, errors };
}

function expectKnown(query: string): void {
  const { selectors, grouping, errors } = read(query);
  expect(errors).toEqual([]);
  expect(selectors.length).toBeGreaterThan(0);
  for (const { name, labels } of selectors) {
    expect([name, labelsByName.has(name)]).toEqual([name, true]);
    expect([name, labels.filter((label) => !labelsByName.get(name)?.has(label))]).toEqual([name, []]);
  }
  const some = new Set(selectors.flatMap(({ name }) => [...(labelsByName.get(name) ?? [])]));
  expect(grouping.filter((label) => !some.has(label))).toEqual([]);
}

describe("the alert rules", () => {
  const ruleSchema = z.strictObject({
    alert: z.string().regex(/^Endcap[A-Z]\w+$/),
    expr: z.string(),
    for: z
      .string()
      .regex(/^\d+m$/)
      .optional(),
    labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
    annotations: z.strictObject({ summary: z.string().min(10), description: z.string().min(10) }),
  });
  const fileSchema = z.strictObject({
    groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleSchema).min(1) })),
  });
  const document = parseDocument(readFileSync(projectFile("deploy/alerts.yml"), "utf8"), { strict: true });
  const rules = fileSchema.parse(document.toJS()).groups.flatMap((group) => group.rules);

  test("are YAML without errors or warnings, with unique names", () => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(12);
  });

  test.each(rules.map(({ alert, expr }) => [alert, expr]))(
    "%s asks for metrics and labels that a server has",
    (_name, expr) => {
      expectKnown(expr);
    },
  );

  test.each(rules.map(({ alert, expr, annotations }) => [alert, expr, annotations.summary]))(
    "%s names in its summary only labels that its result has",
    (_name, expr, summary) => {
      const { grouping, selectors } = read(expr);
      const isSummed = /\b(sum|max)\b/.test(expr);
      const kept = isSummed ? grouping : selectors.flatMap(({ name }) => [...(labelsByName.get(name) ?? [])]);
      for (const [, label = ""] of summary.matchAll(/\$labels\.(\w+)/g)) expect(kept).toContain(label);
    },
  );
});

/** Seconds of a unit of PromQL. */
const unitSeconds: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

describe("an alert about jobs", () => {
  const alerts = readFileSync(projectFile("deploy/alerts.yml"), "utf8");
  const exprOf = (name: string) => alerts.split(`- alert: ${name}\n`)[1]?.split("labels:")[0] ?? "";

  test.each(jobs.map(({ name, everySeconds }) => [name, everySeconds]))(
    "fires for %s, which fails at each of its runs, every %i seconds",
    (_name, everySeconds) => {
      const limits = [...exprOf("EndcapJobsFail").matchAll(/result="failure"}\[(\d+)([mhd])]\)\) > (\d+)/g)];
      const isReached = ([, count, unit = "", limit]: RegExpExecArray) =>
        (Number(count) * (unitSeconds[unit] ?? 0)) / everySeconds > Number(limit);
      expect(limits.some(isReached)).toBe(true);
    },
  );

  test("fires for emails only if more of them fail than are sent", () => {
    const expr = exprOf("EndcapJobsFail").replace(/\s+/g, " ");
    const runs = (name: string, result: string) =>
      `sum by (name) (increase(endcap_job_runs_total{name${name}"send_mail",result="${result}"}[30m]))`;
    const [failed, sent] = [runs("=", "failure"), runs("=", "success")];
    expect(expr).toContain(`${runs("!=", "failure")} > 2 or (${failed} > 2 and ${failed} > ${sent}) or`);
    expect(expr).not.toContain('{result="failure"}[30m]');
  });

  test("fires for a job that others have kept from its work for half an hour, and not for one postponed run", () => {
    const runs = (result: string) => `sum by (name) (increase(endcap_job_runs_total{result="${result}"}[30m]))`;
    const expr = exprOf("EndcapJobsFail").replace(/\s+/g, " ");
    expect(expr).toContain(`or (${runs("postponed")} > 10 unless ${runs("success")} > 0)`);
    expect(exprOf("EndcapLedgerBroken")).not.toContain("postponed");
  });

  test("fires for a settlement that has not succeeded since its process started", () => {
    const expr = exprOf("EndcapSettlementLate");
    const success = 'endcap_job_last_success_timestamp_seconds{name="settle_delivery"}';
    const parts = expr.split(success).slice(0, -1);
    // Without a range a process before this one, which has no sample now, would not be seen.
    expect(
      expr
        .split(success)
        .slice(1)
        .every((after) => /^\[\d+[hd]]/.test(after)),
    ).toBe(true);
    expect(parts.some((before) => before.endsWith("absent_over_time("))).toBe(true);
  });
});

describe("the dashboard", () => {
  const targetSchema = z.looseObject({ expr: z.string(), refId: z.string() });
  const panelSchema = z.looseObject({
    id: z.number(),
    title: z.string().min(1),
    type: z.enum(["row", "stat", "timeseries"]),
    gridPos: z.strictObject({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
    targets: z.array(targetSchema).min(1).optional(),
  });
  const dashboard = z
    .looseObject({
      title: z.string(),
      panels: z.array(panelSchema),
      annotations: z.looseObject({ list: z.array(z.looseObject({ expr: z.string() })) }),
      templating: z.looseObject({ list: z.array(z.looseObject({ name: z.string() })) }),
    })
    .parse(JSON.parse(readFileSync(projectFile("deploy/grafana-dashboard.json"), "utf8")));
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, refId }): [string, string] => [`${title} ${refId}`, expr]),
  );

  test.each(queries)("%s asks for metrics and labels that a server has", (_name, expr) => expectKnown(expr));

  test("marks starts, and has the variables that its queries use", () => {
    for (const { expr } of dashboard.annotations.list) expectKnown(expr);
    const names = dashboard.templating.list.map(({ name }) => name);
    expect(names).toEqual(["datasource", "instance"]);
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
    expect([...new Set(used)].filter((name) => !names.includes(name) && !name.startsWith("__"))).toEqual([]);
  });

  test("has panels with ids of their own that do not cover each other", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, { title, gridPos: one }] of dashboard.panels.entries()) {
      expect(one.x + one.w).toBeLessThanOrEqual(24);
      for (const { title: otherTitle, gridPos: other } of dashboard.panels.slice(index + 1)) {
        const isApart =
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect([title, otherTitle, isApart]).toEqual([title, otherTitle, true]);
      }
    }
  });

  test("with the alerts it shows every metric of the product", () => {
    const alerts = readFileSync(projectFile("deploy/alerts.yml"), "utf8");
    const shown = queries.map(([, expr]) => expr).join(" ") + alerts + JSON.stringify(dashboard.templating);
    const own = [...labelsByName.keys()].filter((name) => name.startsWith("endcap_") && !/_(sum|count)$/.test(name));
    expect(own.length).toBeGreaterThan(25);
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });
});
