import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/server-runtime";
import compression from "compression";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { creativesPath } from "#app/domain/creatives/creative.ts";
import type { Env } from "#app/env.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { log } from "#app/web/log.server.ts";
import { pingDatabase } from "#db/client.server.ts";
import { admitRequests } from "./admission.ts";
import { answerCalls } from "./calls.ts";
import { clientAddress } from "./client-address.ts";
import { creativeFiles } from "./creative-files.ts";
import { mailbox } from "./mailbox.ts";
import { type Mounts, splitByMount } from "./mounts.ts";
import { answerPlainly, pathOf } from "./plain-answer.ts";
import { isTransfer, limitRequests, refuseMalformedRequests } from "./request-checks.ts";
import { refuseOtherOrigins } from "./same-origin.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { securityTxt, securityTxtPath } from "./security-txt.ts";
import { stripeEvents, stripeEventsPath } from "./stripe-events.ts";
import { dropUnread } from "./unread-rest.ts";
import "#app/load-context.ts";

const requestMs = 10_000;
const formBytes = 1_048_576;
const eventBytes = 524_288;

type AppOptions = {
  env: Env;
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Serves the assets in development; else they come from the build. */
  assets?: RequestHandler;
};

/** The HTTP side: what every request and every answer has in common. The routes are Remix's. */
export function createApp({ env, build, assets }: AppOptions): Express {
  const app = express();
  const contextOf = (request: Request, response: Response) => ({
    nonce: String(response.locals.nonce),
    requestId: String(response.locals.requestId),
    clientAddress: clientAddress(request),
    setHeaders: (headers: Record<string, string>) => {
      if (!response.headersSent) response.set(headers);
    },
  });
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", env.trustedProxies);
  app.use(addSecurityHeaders(env), logRequests, dropUnread(), refuseOtherOrigins(env), refuseMalformedRequests(env));
  app.get("/healthz", (_request, response) => void response.type("text").send("ok\n"));
  app.get("/readyz", readiness);
  app.get(securityTxtPath, securityTxt(env));
  app.use((request, response, next) =>
    request.path.startsWith(creativesPath) ? creativeFiles(request, response, next) : next(),
  );
  app.use(compression());
  app.use("/dev/mailbox", mailbox(env));
  const limits = limitRequests({ milliseconds: requestMs, bytes: formBytes });
  app.use(stripeEventsPath, limitRequests({ milliseconds: requestMs, bytes: eventBytes }), stripeEvents(env));
  const admit = admitRequests({ isTransfer });
  app.use("/api", admit, limits, answerCalls({ build, contextOf }));
  const mounts = typeof build === "function" ? undefined : splitByMount(build);
  if (assets) app.use(assets);
  else app.use(files(mounts?.manifests));
  app.use(admit, limits);
  const mode = env.isProduction ? "production" : "development";
  const pagesOf = (some: AppOptions["build"]) => createRequestHandler({ build: some, mode, getLoadContext: contextOf });
  app.all("*", mounts ? perMount(mounts, pagesOf) : pagesOf(build));
  app.use(answerErrors);
  return app;
}

/** One of Remix's handlers for each mount, made when it is first asked. */
function perMount({ buildFor }: Mounts, pagesOf: (some: ServerBuild) => RequestHandler): RequestHandler {
  const made = new Map<ServerBuild, RequestHandler>();
  return (request, response, next) => {
    const some = buildFor(request.path);
    const pages = made.get(some) ?? pagesOf(some);
    made.set(some, pages);
    return pages(request, response, next);
  };
}

async function readiness(_request: Request, response: Response): Promise<void> {
  const answers = await pingDatabase().then(
    () => true,
    () => false,
  );
  response
    .status(answers ? 200 : 503)
    .type("text")
    .send(answers ? "ready\n" : "the database does not answer\n");
}

/** Assets have their content's hash in their name; what lies in public/ keeps its name and may change. */
function files(manifests?: ReadonlyMap<string, string>): RequestHandler {
  const client = projectFile("build/client");
  const options = { index: false, redirect: false, dotfiles: "ignore" } as const;
  // Express keeps a Cache-Control that is set already.
  const anybody = (response: Response) => {
    response.removeHeader("Vary");
    response.removeHeader("Cache-Control");
  };
  const router = express.Router();
  router.get("/assets/:name", (request, response, next) => {
    const script = manifests?.get(request.path);
    if (script === undefined) return next();
    anybody(response);
    response.set("Cache-Control", "public, max-age=31536000, immutable").type("application/javascript").send(script);
  });
  router.use(
    "/assets",
    express.static(resolve(client, "assets"), { ...options, immutable: true, maxAge: "1y", setHeaders: anybody }),
    (request, response) => answerPlainly(request, response, { status: 404, code: "not_found", message: "Not found" }),
  );
  // Their few names are known, so that no page is looked for on the disk first.
  const names = new Set(readdirSync(client));
  const others = express.static(client, { ...options, maxAge: "1h", setHeaders: anybody });
  router.use((request, response, next) =>
    names.has(request.path.split("/")[1] ?? "") ? others(request, response, next) : next(),
  );
  return router;
}

const logRequests: RequestHandler = (request, response, next) => {
  const started = performance.now();
  response.on("close", () => {
    const path = pathOf(request);
    if (path.startsWith("/assets/") || path === "/healthz") return;
    log.info("request", {
      requestId: String(response.locals.requestId),
      method: request.method,
      // Who knows such an address may see what lies there.
      path: path.startsWith(creativesPath) ? `${creativesPath}…` : path,
      status: response.statusCode,
      milliseconds: Math.round(performance.now() - started),
    });
  });
  next();
};

const answerErrors: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const status: unknown = error instanceof Error ? Reflect.get(error, "status") : undefined;
  const refused = typeof status === "number" && status >= 400 && status < 500;
  // After the clock or the size limit has answered, what the route still says counts no longer.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (refused)
    return answerPlainly(request, response, { status, code: "malformed", message: "This request cannot be read" });
  log.error("request failed", { requestId: String(response.locals.requestId), path: pathOf(request), error });
  answerPlainly(request, response, { status: 500, code: "internal", message: "Something went wrong on our side" });
};
