import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { endpointLimits } from "#app/api/endpoint-limits.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { routeCostOf } from "#app/portal/route-costs.ts";
import { projectFile } from "#app/project-file.server.ts";
import { compileLimits, findLimits } from "#server/http/limit-table.ts";
import { routeTable } from "#tests/routes/route-visits.ts";

const routes = Object.fromEntries(routeTable.map(({ id, path }) => [id, { path }]));
const rules = compileLimits({ routes, entry: { module: { endpointLimits, routeCostOf } } });
const megabyte = 1024 * 1024;

const people = { maxBodyBytes: 1_025 * megabyte, timeout: "while_sending", isTransfer: true };
const media = { maxBodyBytes: 501 * megabyte, timeout: "while_sending", isTransfer: true, onlyWithFiles: true };
const catalog = { maxBodyBytes: 51 * megabyte, timeout: "while_sending", isTransfer: true };
const members = { maxBodyBytes: 4 * megabyte, timeout: 30_000 };
const selection = { timeout: 120_000, isTransfer: true };
const payout = { timeout: 240_000, isTransfer: true };
const download = { timeout: 300_000, isTransfer: true };

test.each([
  ["POST", "/api/audiences/1/uploads", people],
  ["POST", "/publisher/audiences/create", people],
  ["POST", "/publisher/test-mode/audiences/1/uploads.data", people],
  ["FILES", "/api/creatives", media],
  ["FILES", "/advertiser/creatives", media],
  ["FILES", "/publisher/creatives/upload", media],
  ["FILES", "/advertiser/campaigns/1/edit.data", media],
  ["FILES", "/advertiser/test-mode/campaigns/create", media],
  ["FILES", "/publisher/campaigns/create-for-advertiser", media],
  ["POST", "/api/products/imports", catalog],
  ["POST", "/advertiser/products/upload.data", catalog],
  ["POST", "/api/audiences/1/members", members],
  ["POST", "/api/audiences/1/segment", members],
  ["POST", "/api/erasures", members],
  ["POST", "/publisher/audiences/erasure.data", members],
  ["POST", "/api/delivery-reports", { maxBodyBytes: 33 * megabyte, timeout: 150_000 }],
  ["POST", "/publisher/test-mode/products/selected.data", selection],
  ["POST", "/publisher/revenue.data", payout],
  // A form without an action is sent to the URL of its page, as it was typed.
  ["POST", "/publisher/audiences/create/", people],
  ["POST", "/Publisher/Audiences/Create", people],
  ["FILES", "/advertiser/campaigns/1/edit/", media],
  ["GET", "/advertiser/products/export.csv/", download],
  ["POST", "/api/billing/payouts", payout],
  ["GET", "/advertiser/products/export.csv", download],
  ["GET", "/advertiser/test-mode/billing/statements/export.csv", download],
  ["GET", "/publisher/revenue/payouts/1/statement.csv", download],
  ["GET", "/api/analytics/export", download],
  // The usual limits.
  ["POST", "/advertiser/campaigns/1/edit", undefined],
  ["POST", "/api/creatives", undefined],
  ["GET", "/publisher/audiences/create", undefined],
  ["GET", "/publisher/revenue", undefined],
  ["POST", "/advertiser/products/export.csv", undefined],
  ["FILES", "/api/campaigns", undefined],
  ["FILES", "/api/creatives/", undefined],
  ["FILES", "/publisher/audiences/1/uploads/2", undefined],
  ["FILES", "/api/audiences/1/uploads/more", undefined],
  ["FILES", "/elsewhere/api/creatives", undefined],
  ["GET", "/advertiser/products/export_csv", undefined],
])("%s %s has its limits", (method, path, limits) => {
  const request = { path, isPost: method !== "GET", hasFiles: method === "FILES" };
  expect(findLimits(rules, request)).toEqual(limits);
});

test("every endpoint that accepts files, or has limits in its own row, is held to them", () => {
  const large = Object.entries(endpoints).filter(([name, { acceptsFiles }]) => acceptsFiles || name in endpointLimits);
  expect(large.length).toBeGreaterThan(6);
  for (const [name, { acceptsFiles }] of large) {
    const [method, path = ""] = name.replace(/\{\w+\}/g, "1").split(" ");
    const request = { path, isPost: method === "POST", hasFiles: acceptsFiles };
    expect({ name, limits: findLimits(rules, request) }).toEqual({ name, limits: endpointLimits[name] });
    if (acceptsFiles) expect(endpointLimits[name]).toMatchObject({ timeout: "while_sending", isTransfer: true });
  }
});

/** The modules that read the files of a form as they arrive. */
const fileReaders =
  /\/(?:multipart|creative-form|read-creative-form|receive-catalog-file|create-audience-with-files)\.server\.ts"/;

test("every route that accepts files has limits in its own row", () => {
  const accepting = routeTable.filter(({ file }) => {
    const source = projectFile(`app/${file}`);
    if (!existsSync(source) || file === "api/route.ts") return false;
    return fileReaders.test(readFileSync(source, "utf8"));
  });
  expect(new Set(accepting.map(({ file }) => dirname(file))).size).toBeGreaterThan(5);
  for (const { id, path } of accepting) {
    const request = { path: path.replace(/:\w+/g, "1"), isPost: true, hasFiles: true };
    const limits = findLimits(rules, request);
    expect({ id, limits }).toEqual({ id, limits: routeCostOf(id).limits?.act });
    expect(limits, id).toMatchObject({ timeout: "while_sending", isTransfer: true });
  }
});

test("every download of a whole table has limits in its own row", () => {
  const makesTable = /\b(?:csvResponse|streamDownload|createPerformanceExport|exportSelection)\(/;
  const downloads = routeTable.filter(({ file }) => {
    const source = projectFile(`app/${file}`);
    return existsSync(source) && makesTable.test(readFileSync(source, "utf8")) && !file.endsWith("/template.ts");
  });
  expect(new Set(downloads.map(({ file }) => file)).size).toBeGreaterThan(8);
  for (const { id, path } of downloads) {
    const request = { path: path.replace(/:\w+/g, "1"), isPost: false, hasFiles: false };
    expect({ id, limits: findLimits(rules, request) }).toEqual({ id, limits: download });
  }
});
