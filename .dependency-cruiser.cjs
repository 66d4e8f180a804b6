/** Who may import whom: the arrows of the house (docs/decisions/0002). */
const not = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    // Imports of types count as well: whoever reads a file reads its types first.
    not("no-cycles", "A cycle has no first file to read.", {}, { circular: true }),
    not(
      "one-driver",
      "postgres.js is corrected while db/driver.server.ts loads it: the package itself lacks the corrections.",
      { path: "^(app|db|server|commands|tests)/", pathNot: "^tests/bench/reference/" },
      { path: "^node_modules/postgres/", dependencyTypesNot: ["type-only"] },
    ),
    not(
      "ui-knows-no-business",
      "ui: props in, HTML out.",
      { path: "^app/ui/" },
      { path: "^(app/(screens|portal|web|api|domain/.*\\.server)|db|server)" },
    ),
    not(
      "screens-stand-alone",
      "A screen never imports another side's screens; what several need is in screens/shared.",
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
      "domain-knows-no-door",
      "The business knows nothing of HTTP or React.",
      { path: "^app/domain/(?!payments/)" },
      {
        path: "^(app/(?!domain/|sheets/|outbound/|storage/|media/|encryption\\.server\\.ts|instance-key\\.server\\.ts|project-file\\.server\\.ts)|server/|node_modules/(react|react-dom|@remix-run|@conform-to|express)/)",
      },
    ),
    not(
      "pure-domain",
      "A file without .server is pure: the browser may have it.",
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
      "Asking another's server knows nothing of what for.",
      { path: "^app/(outbound/|encryption\\.server\\.ts)" },
      {
        path: "^(app/(?!outbound/|observability/|env\\.server\\.ts|derive-key\\.server\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "observability-is-a-leaf",
      "What observes the process knows nothing of what it does.",
      { path: "^app/observability/" },
      { path: "^(app/(?!observability/)|db/|server/|node_modules/)" },
    ),
    not(
      "media-is-a-leaf",
      "Reading pictures and films knows nothing of whose they are.",
      { path: "^app/media/" },
      {
        path: "^(app/(?!media/|built-module\\.server\\.ts|project-file\\.server\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "documents-is-a-leaf",
      "Putting a document on paper knows nothing of whose it is.",
      { path: "^app/documents/" },
      {
        path: "^(app/(?!documents/|project-file\\.server\\.ts|sheets/(worker-thread\\.server|thread-defect)\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "storage-is-a-leaf",
      "Keeping files knows nothing of what is in them.",
      { path: "^app/storage/" },
      {
        path: "^(app/(?!storage/|env\\.server\\.ts|startup-error\\.ts)|db/|server/|node_modules/(react|react-dom|@remix-run|express|drizzle-orm|postgres)/)",
      },
    ),
    not(
      "payments-know-no-billing",
      "A payment provider moves money and knows nothing of what for.",
      { path: "^app/domain/payments/" },
      {
        path: "^(app/(?!domain/(payments/|[^/]+$)|outbound/|env\\.server\\.ts|encryption\\.server\\.ts)|server/|node_modules/(react|react-dom|@remix-run|express)/)",
      },
    ),
    not(
      "schema-knows-vocabulary",
      "Tables take their words from the domain's vocabulary and nothing else.",
      { path: "^db/schema/" },
      { path: "^app/", pathNot: "^app/domain/[^.]*\\.ts$" },
    ),
    not(
      "drizzle-stays-home",
      "SQL lives in verbs and in db.",
      { path: "^app/", pathNot: "^app/domain/.*\\.server\\.ts$" },
      { path: "^node_modules/drizzle-orm/" },
    ),
    not(
      "one-gate",
      "Bodies of forms are read where the gate stands (app/web/forms/field-gate.ts): no other file parses them.",
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
      "Nothing that runs needs a test file.",
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
      "A command is a program: only a person or a script starts it. Tests may ask what backup and restore are made of.",
      { path: "^(app|db|server|tests)/" },
      { path: "^(commands|deploy)/", pathNot: "^commands/backup/" },
    ),
    not(
      "only-tests-import-backup",
      "What backup and restore are made of is theirs.",
      { path: "^(app|db|server)/" },
      { path: "^commands/backup/" },
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
