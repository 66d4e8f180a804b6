/** What runs in a thread of its own, and is built for it. By its name alone: no two may be called the same. */
export const threadModules = [
  "app/documents/pdf-worker.server.ts",
  "app/domain/audiences/files/import-worker.server.ts",
  "app/domain/catalog/imports/reading/catalog-worker.server.ts",
  "server/watchdog-thread.ts",
];

/** Modules of many small files, which each process and thread would look for and read one by one. */
export const bundledModules = [
  /^@conform-to\//,
  /^@react-email\//,
  "drizzle-orm",
  "express",
  "libphonenumber-js",
  "lucide-react",
  "zod",
];
