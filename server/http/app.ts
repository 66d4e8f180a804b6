import { readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { resolve } from "node:path";
import { constants } from "node:zlib";
import type { ServerBuild } from "@remix-run/server-runtime";
import compression from "compression";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import expressStaticGzip from "express-static-gzip";
import { creativesPath } from "#app/domain/creatives/creative.ts";
import type { Env } from "#app/env.server.ts";
import { projectFile } from "#app/project-file.server.ts";
import { log } from "#app/web/log.server.ts";
import { livenessPath, readinessPath, sendLiveness, sendReadiness } from "#server/health/health-endpoints.ts";
import type { Readiness } from "#server/health/readiness.ts";
import { metricsPath, sendMetrics } from "#server/observability/metrics-endpoint.ts";
import type { Metrics } from "#server/observability/recorder.ts";
import { admitRequests } from "./admission.ts";
import { createApiHandler } from "./api-handler.ts";
import { clientAddress } from "./client-address.ts";
import { creativeFiles } from "./creative-files.ts";
import { drainUnreadBody } from "./drain-request.ts";
import { inOrder } from "./in-order.ts";
import { openLimitTable } from "./limit-table.ts";
import { handleMailFeedback, mailFeedbackPath } from "./mail-feedback.ts";
import { mailbox } from "./mailbox-preview.ts";
import { rejectMalformedRequests } from "./malformed-requests.ts";
import { adoptMessageClasses, type MessageClasses } from "./message-classes.ts";
import { observeRequests, routeRecorder } from "./observe-requests.ts";
import { servePages } from "./pages.ts";
import { requestPath, sendPlainResponse, setStylesheet } from "./plain-response.ts";
import { identifyRequests } from "./request-identity.ts";
import { limitRequests } from "./request-limits.ts";
import { type Mounts, splitByMount } from "./routes-by-mount.ts";
import { narrowByPath } from "./routes-by-path.ts";
import { rejectCrossOrigin } from "./same-origin.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { securityTxt, securityTxtPath } from "./security-txt.ts";
import { handleStripeEvents, stripeEventsPath } from "./stripe-events.ts";
import "#app/load-context.ts";

const requestMs = 10_000;
const formBytes = 1_048_576;
const eventBytes = 524_288;

type AppOptions = {
  env: Env;
  build: ServerBuild | (() => Promise<ServerBuild>);
  readiness: Readiness;
  /** The classes that the server creates its requests and responses of; they become this application's. */
  messages?: MessageClasses;
  /** Undefined: `/metrics` is off. */
  metrics?: Metrics | undefined;
  /** Serves the assets in development; otherwise they come from the build. */
  assets?: RequestHandler;
};

/** Creates the HTTP side: everything that all requests and responses share. Remix has the routes. */
export function createApp({ env, build, readiness, messages, metrics, assets }: AppOptions): Express {
  const app = express();
  if (messages) adoptMessageClasses(app, messages);
  if (typeof build !== "function") setStylesheet(app, build);
  const setRouteOf = routeRecorder(metrics);
  const createLoadContext = (request: Request, response: Response) => ({
    nonce: String(response.locals.nonce),
    requestId: String(response.locals.requestId),
    clientAddress: clientAddress(request),
    receivedAt: performance.now(),
    setRoute: setRouteOf?.(response),
    setHeaders: (headers: Record<string, string>) => {
      if (!response.headersSent) response.set(headers);
    },
  });
  app.disable("x-powered-by");
  app.disable("etag");
  // Nothing reads `request.query`.
  app.disable("query parser");
  app.set("trust proxy", env.trustedProxies);
  app.use(
    inOrder([
      addSecurityHeaders(env),
      identifyRequests(env),
      observeRequests(metrics),
      drainUnreadBody(),
      rejectCrossOrigin(env),
      rejectMalformedRequests(env),
    ]),
  );
  const { find, limitsOf, isTransfer } = openLimitTable(build);
  const onTimeout = () => metrics?.requestShed("timeout");
  const limits = limitRequests({ milliseconds: requestMs, bytes: formBytes, onTimeout }, limitsOf);
  const eventLimits = limitRequests({ milliseconds: requestMs, bytes: eventBytes });
  const admit = admitRequests({ isTransfer, onShed: metrics?.requestShed });
  const compress = compression();
  const callApi = createApiHandler({ compress, build, contextOf: createLoadContext });
  const calls = [find, admit, ...limits, callApi];
  const api = inOrder(calls);
  const events = inOrder([...eventLimits, handleStripeEvents(env), ...calls]);
  const reportLimits = limitRequests({ milliseconds: requestMs, bytes: formBytes });
  const reports = inOrder([...reportLimits, handleMailFeedback(env, metrics), ...calls]);
  // Before all other paths, because programs call the API far more often than people load pages.
  app.use((request, response, next) => {
    const path = `${requestPath(request)}/`;
    if (!path.startsWith("/api/")) return next();
    if (path.startsWith(`${stripeEventsPath}/`)) events(request, response, next);
    else (path.startsWith(`${mailFeedbackPath}/`) ? reports : api)(request, response, next);
  });
  app.get(livenessPath, (_request, response) => sendLiveness(response));
  app.get(readinessPath, (_request, response) => sendReadiness(response, readiness));
  const { metrics: metricsSettings } = env;
  if (metrics && metricsSettings && metricsSettings.port === undefined) {
    const send = sendMetrics(metrics, metricsSettings.token);
    app.get(metricsPath, (request, response) => void send(request, response));
  }
  app.get(securityTxtPath, securityTxt(env));
  app.use((request, response, next) =>
    request.path.startsWith(creativesPath) ? creativeFiles(request, response, next) : next(),
  );
  app.use(compressPages(compress));
  app.use("/dev/mailbox", mailbox(env));
  const mounts = typeof build === "function" ? undefined : splitByMount(build);
  if (assets) app.use(assets);
  else app.use(files(mounts?.manifests));
  app.use(inOrder([find, admit, ...limits]));
  const mode = env.isProduction ? "production" : "development";
  const pagesOf = (some: AppOptions["build"]) => servePages({ build: some, mode, contextOf: createLoadContext });
  app.all("*", mounts ? perPath(mounts, pagesOf) : pagesOf(build));
  app.use(respondToErrors);
  return app;
}

/**
 * Compresses pages, and the data of pages, by Brotli with a quality of 5 in place of the middleware's 4: a tenth
 * smaller, for 0.15 ms of a list. Files are compressed by `others`: exports, which are long, are hardly smaller with it
 * and take up to twice as long.
 */
function compressPages(others: RequestHandler): RequestHandler {
  const pages = compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } });
  return (request, response, next) => (/\.(?!data$)\w+$/.test(request.path) ? others : pages)(request, response, next);
}

/** Returns one Remix handler for each set of routes that paths can match, created on first use. */
function perPath({ buildFor }: Mounts, pagesOf: (some: ServerBuild) => RequestHandler): RequestHandler {
  const narrowed = new Map<ServerBuild, ReturnType<typeof narrowByPath>>();
  const handlers = new Map<ServerBuild, RequestHandler>();
  return (request, response, next) => {
    // As Remix reads it, without dot segments.
    const { pathname } = new URL(request.originalUrl, "http://localhost");
    const mount = buildFor(pathname);
    const narrow = narrowed.get(mount) ?? narrowByPath(mount);
    narrowed.set(mount, narrow);
    const some = narrow(pathname);
    const pages = handlers.get(some) ?? pagesOf(some);
    handlers.set(some, pages);
    return pages(request, response, next);
  };
}

/** Assets have a content hash in their name; files of public/ keep their name and may change. */
function files(manifests?: ReadonlyMap<string, string>): RequestHandler {
  const client = projectFile("build/client");
  const options = { index: false, redirect: false, dotfiles: "ignore" } as const;
  // Express keeps a Cache-Control that is already set.
  const anybody = (response: ServerResponse) => {
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
    expressStaticGzip(resolve(client, "assets"), {
      enableBrotli: true,
      orderPreference: ["br", "gz"],
      index: false,
      serveStatic: { ...options, immutable: true, maxAge: "1y", setHeaders: anybody },
    }),
    (request, response) =>
      sendPlainResponse(request, response, { status: 404, code: "not_found", message: "Page not found" }),
  );
  // Their few names are known, so other requests cause no disk access.
  const names = new Set(readdirSync(client));
  const others = express.static(client, { ...options, maxAge: "1h", setHeaders: anybody });
  router.use((request, response, next) =>
    names.has(request.path.split("/")[1] ?? "") ? others(request, response, next) : next(),
  );
  return router;
}

const respondToErrors: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const status: unknown = error instanceof Error ? Reflect.get(error, "status") : undefined;
  const isClientError = typeof status === "number" && status >= 400 && status < 500;
  // After the timeout or the size limit has responded, the route's response is ignored.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (isClientError)
    return sendPlainResponse(request, response, {
      status,
      code: "malformed",
      message: "This request could not be read",
    });
  log.error("request failed", { requestId: String(response.locals.requestId), path: requestPath(request), error });
  sendPlainResponse(request, response, {
    status: 500,
    code: "internal",
    message: "Something went wrong on our side. Try again.",
  });
};
