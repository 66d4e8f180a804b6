/** Which folder may import which (docs/decisions/0001). Each comment is what a violation is reported with. */
const not = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    // Imports of types count as well: whoever reads a file reads its types first.
    not("no-cycles", "A cycle has no first file to read.", {}, { circular: true }),
    not(
      "one-driver",
      "db/driver.server.ts patches postgres.js while it loads it; the package itself is without the patches.",
      { path: "^(app|db|server|commands|tests)/", pathNot: "^tests/bench/reference/" },
      { path: "^node_modules/postgres/", dependencyTypesNot: ["type-only"] },
    ),
    not(
      "ui-knows-no-business",
      "A component of ui takes props and returns HTML; it knows nothing of the business.",
      { path: "^app/ui/" },
      { path: "^(app/(screens|portal|web|api|domain/.*\\.server)|db|server)" },
    ),
    not(
      "screens-are-independent",
      "A portal's screens never import those of the other; what both need is in screens/shared.",
      { path: "^app/screens/(advertiser|publisher|public|dev)/" },
      { path: "^app/screens/(?!shared/)", pathNot: "^app/screens/$1/" },
    ),
    not(
      "screens-ask-the-domain",
      "Screens reach the database only through verbs.",
      { path: "^app/(screens|ui|portal|api|web)/" },
      { path: "^(db/(schema|seed|migrate|embedded)|node_modules/(drizzle-orm|postgres)/)" },
    ),
    not(
      "few-stale-reads",
      "Figures, histories and exports may be stale; money, and what a decision depends on, never (docs/decisions/0097).",
      {
        path: "^(app|server|commands)/",
        pathNot: [
          "^app/screens/shared/(analytics|activity/list|reports/file)/",
          "^app/web/exports/",
          "^app/mail/report-parts\\.server\\.ts$",
          "^app/api/endpoints/analytics-endpoints\\.ts$",
          "^app/domain/catalog/export-products\\.server\\.ts$",
        ],
      },
      { path: "^app/domain/stale-reads\\.server\\.ts$" },
    ),
    not(
      "one-way-to-the-replica",
      "The domain decides in one place what may be read from a replica.",
      { path: "^(app|commands)/", pathNot: "^app/(domain/stale-reads|web/last-change)\\.server\\.ts$" },
      { path: "^db/replica/" },
    ),
    not(
      "nothing-imports-screens",
      "Screens are reached by routes alone: what an email or an endpoint needs too is in the domain or in web.",
      { path: "^(app/(?!screens/)|db/|server/|commands/)" },
      { path: "^app/screens/" },
    ),
    not(
      "domain-knows-no-entrypoint",
      "The domain knows nothing of HTTP or React.",
      { path: "^app/domain/(?!payments/)" },
      {
        path: "^(app/(?!domain/|sheets/|outbound/|storage/|media/|encryption\\.server\\.ts|instance-key\\.server\\.ts|project-file\\.server\\.ts|shared-state\\.ts)|server/|node_modules/(react|react-dom|@remix-run|@conform-to|express)/)",
      },
    ),
    not(
      "pure-domain",
      "A file without .server in its name is pure, and may be loaded by the browser.",
      { path: "^app/domain/", pathNot: "\\.server\\.ts$" },
      { path: "^(db/|node_modules/(drizzle-orm|postgres)/)|\\.server\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    not(
      "sheets-is-a-leaf",
      "Reading a spreadsheet knows nothing of what its rows mean.",
      { path: "^app/sheets/" },
      {
        path: "^(app/(?!sheets/|built-module\\.server\\.ts|project-file\\.server\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "outbound-is-a-leaf",
      "Outbound requests know nothing of their purpose.",
      { path: "^app/(outbound/|encryption\\.server\\.ts)" },
      {
        path: "^(app/(?!outbound/|observability/|env\\.server\\.ts|derive-key\\.server\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "observability-is-a-leaf",
      "Observers of the process know nothing of the work that they observe.",
      { path: "^app/observability/" },
      { path: "^(app/(?!observability/|shared-state\\.ts)|db/|server/|node_modules/)" },
    ),
    not(
      "media-is-a-leaf",
      "Reading images and videos knows nothing of their owner.",
      { path: "^app/media/" },
      {
        path: "^(app/(?!media/|built-module\\.server\\.ts|project-file\\.server\\.ts|shared-state\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "documents-is-a-leaf",
      "Writing a PDF document knows nothing of its subject.",
      { path: "^app/documents/" },
      {
        path: "^(app/(?!documents/|project-file\\.server\\.ts|sheets/(worker-thread\\.server|thread-defect)\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "storage-is-a-leaf",
      "Storing files knows nothing of their content.",
      { path: "^app/storage/" },
      {
        path: "^(app/(?!storage/|env\\.server\\.ts|shared-state\\.ts|startup-error\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "payments-know-no-billing",
      "A payment provider moves money and knows nothing of its purpose.",
      { path: "^app/domain/payments/" },
      {
        path: "^(app/(?!domain/(payments/|[^/]+$)|outbound/|env\\.server\\.ts|encryption\\.server\\.ts)|server/|node_modules/(react|react-dom|@remix-run|express)/)",
      },
    ),
    not(
      "schema-knows-vocabulary",
      "Tables import the pure vocabulary of the domain, and nothing else of app.",
      { path: "^db/schema/" },
      { path: "^app/", pathNot: "^app/domain/[^.]*\\.ts$" },
    ),
    not(
      "drizzle-in-domain-and-db",
      "SQL is written in verbs and in db alone.",
      { path: "^app/", pathNot: "^app/domain/.*\\.server\\.ts$" },
      { path: "^node_modules/drizzle-orm/" },
    ),
    not(
      "one-gate",
      "Bodies of forms are parsed behind the gate (app/web/forms/field-gate.ts), in no other file.",
      { path: "^(app|server)/", pathNot: "^app/web/(forms/form|forms/form-checks|multipart)\\.server\\.ts$" },
      { path: "^node_modules/(busboy|@conform-to/zod)/" },
    ),
    not(
      "route-configuration-in-routes",
      "Only app/routes.ts imports Remix's route configuration.",
      { path: "^app/", pathNot: "^app/routes\\.ts$" },
      { path: "^node_modules/@remix-run/(route-config|dev)/" },
    ),
    not(
      "app-without-tests",
      "Code of the product imports no tests.",
      { path: "^(app|commands|db|server)/" },
      { path: "^tests/" },
    ),
    not(
      "commands-ask-the-domain",
      "An operator's command runs verbs, without the HTTP server and its screens.",
      { path: "^commands/" },
      { path: "^(server/(?!build-stamp\\.js)|app/(screens|portal|ui|web|api)/)" },
    ),
    not(
      "nothing-imports-commands",
      "A command is a program that a person or a script starts. Its own tests may call it, and the parts of backup and restore.",
      { path: "^(app|db|server|tests/(?!commands/))" },
      { path: "^(commands|deploy)/" },
    ),
    not("resolvable", "Every import resolves.", {}, { couldNotResolve: true, pathNot: "^virtual:|\\?url$" }),
    not(
      "declared",
      "Every package is declared.",
      { pathNot: "^app/routes\\.ts$" },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: "^(build|node_modules/\\.|tests/bench/reference/(next|people|lighthouse)|app/domain/audiences/kernel/assembly)",
    },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
