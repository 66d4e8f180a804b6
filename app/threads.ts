/** The modules that run in threads or processes of their own and are built for this. File names must be unique. */
export const threadModules = [
  "app/documents/pdf-worker.server.ts",
  "app/domain/audiences/files/import-worker.server.ts",
  "app/domain/catalog/imports/parsing/catalog-worker.server.ts",
  "app/media/media-worker.server.ts",
  "server/supervisor/watchdog-thread.ts",
];

/**
 * The packages that the build does not contain. It contains all others, because each process and thread would load
 * their small files one by one. These are loaded on demand, read files beside their own, are prepared before they are
 * loaded (React and the database driver), or would bring the TypeScript compiler along (graphile-worker, which also
 * loads pg).
 */
export const externalModules = [
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "@e965/xlsx",
  "@opentelemetry/api",
  "@opentelemetry/context-async-hooks",
  "@opentelemetry/core",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "any-ascii",
  "fontkit",
  "graphile-worker",
  "modern-tar",
  "numfmt",
  "pdfkit",
  "pg",
  "pino",
  "postgres",
  "prom-client",
  "react",
  "react-dom",
  "sharp",
  "stripe",
  "vite",
];
