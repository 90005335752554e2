import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { assetsPath, builtFolder, pageRoots } from "@toolhost/console/pages";
import { Hono } from "hono";
import { etag } from "hono/etag";
import type { Context as HonoContext } from "hono";
import type { AppEnv } from "#rest";

/**
 * The console's document runs only its own scripts, connects only to this server, and cannot be framed. Inline styles are
 * allowed because the code editor adds style elements; output of tools never becomes a style.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the web console: one document for all pages, and its scripts and styles. They are public. */
export function createConsole(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const serveAsset = serveStatic<AppEnv>({
    root: builtFolder,
    precompressed: true,
    rewriteRequestPath: (path) => path.slice(assetsPath.length),
  });
  app.get(`${assetsPath}/assets/*`, etag(), async (c, next) => {
    c.set("route", `${assetsPath}/assets/*`);
    const response = await serveAsset(c, next);
    if (response?.ok !== true) return response;
    response.headers.set("cache-control", "public, max-age=31536000, immutable");
    // The file name contains a hash of its content. The tag is weak because it is the same for each encoding.
    response.headers.set("etag", `W/"${basename(c.req.path)}"`);
    return response;
  });
  for (const page of pageRoots) {
    app.get(`/${page}`, etag(), (c, next) => showDocument(c, next, `/${page}`));
    if (page === "") continue;
    app.get(`/${page}/*`, etag(), (c, next) => showDocument(c, next, `/${page}/*`));
  }
  return app;
}

/** Serves the document of all pages, unless the client does not accept HTML. */
async function showDocument(c: HonoContext<AppEnv>, next: () => Promise<void>, route: string) {
  if (!acceptsHtml(c)) return next();
  c.set("route", route);
  const document = await readDocument();
  if (document === undefined) {
    return c.text("The console is not built. Run: npm run build -w @toolhost/console", 503);
  }
  return c.body(document, 200, documentHeaders);
}

/**
 * The console, which shows its own "not found" page, with status 404; undefined for clients that do not accept HTML, and for
 * API paths.
 */
export async function showMissingPage(c: HonoContext<AppEnv>): Promise<Response | undefined> {
  const isApiPath = ["api", "bot", "console", "oauth", ".well-known"].includes(
    c.req.path.split("/")[1] ?? "",
  );
  if (isApiPath || c.req.method !== "GET" || !acceptsHtml(c)) return undefined;
  const document = await readDocument();
  return document === undefined ? undefined : c.body(document, 404, documentHeaders);
}

function acceptsHtml(c: HonoContext<AppEnv>): boolean {
  return (c.req.header("accept") ?? "").includes("text/html");
}

function readDocument(): Promise<Buffer<ArrayBuffer> | undefined> {
  return readFile(join(builtFolder, "index.html")).catch(() => undefined);
}

const documentHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  // Revalidated on each load, so that an update applies to the next page.
  "cache-control": "no-cache",
};
