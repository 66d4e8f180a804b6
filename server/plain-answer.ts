import type { Request, Response } from "express";

export type PlainAnswer = { status: number; code: string; message: string; headers?: Record<string, string> };

/** An answer without the application: the calls' error shape under /api, a small page elsewhere. */
export function answerPlainly(
  request: Request,
  response: Response,
  { status, code, message, headers }: PlainAnswer,
): void {
  response.status(status).set(headers ?? {});
  if (isCall(pathOf(request))) {
    const requestId = status >= 500 ? { request_id: String(response.locals.requestId) } : {};
    response.json({ error: { code, message, ...requestId } });
    return;
  }
  response.type("html").send(plainPage(status, message));
}

/** The path as it was asked for, without the query, wherever in the app one looks. */
export function pathOf(request: Request): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}

/** Whether a path is one of the calls, which take and give JSON. */
export function isCall(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function plainPage(status: number, message: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${status}</title></head>
<body><main><h1>${message}</h1><p><a href="/">To the start page</a></p></main></body>
</html>
`;
}
