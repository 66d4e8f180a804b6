/** The modules that run in threads or processes of their own and are built for this. File names must be unique. */
export const threadModules = [
  "app/documents/pdf-worker.server.ts",
  "app/domain/audiences/files/import-worker.server.ts",
  "app/domain/catalog/imports/parsing/catalog-worker.server.ts",
  "app/media/media-worker.server.ts",
  "server/supervisor/watchdog-thread.ts",
];

/**
 * Packages of many small files, bundled because each process and thread would load the files one by one, and Remix's
 * server runtime, which the build edits (server/bundle/stream-on-demand.ts).
 */
export const bundledModules = [
  /^@conform-to\//,
  /^@react-email\//,
  "@remix-run/server-runtime",
  "drizzle-orm",
  "express",
  "libphonenumber-js",
  "zod",
];
