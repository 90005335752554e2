import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { builtFolder } from "@toolhost/console/build";
import { assetsPath, pageRoots } from "@toolhost/console/pages";
import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import type { Door } from "#rest";

/**
 * What the console's document may do: run its own scripts and no others, talk to this server alone, be framed by nobody. The
 * editor writes style elements, so styles may stand in the page; what tools give never becomes one.
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

/** The web console: its document at the address of every page, and its scripts and styles. It needs no rights to be read. */
export function createConsole(): Hono<Door> {
  const door = new Hono<Door>();
  const serveAsset = serveStatic<Door>({
    root: builtFolder,
    precompressed: true,
    rewriteRequestPath: (path) => path.slice(assetsPath.length),
    onFound: (_, c) => {
      // A file's name changes with what is in it.
      c.header("cache-control", "public, max-age=31536000, immutable");
    },
  });
  door.get(`${assetsPath}/assets/*`, (c, next) => {
    c.set("route", `${assetsPath}/assets/*`);
    return serveAsset(c, next);
  });
  for (const page of pageRoots) {
    door.get(`/${page}`, (c, next) => showDocument(c, next, `/${page}`));
    if (page !== "") door.get(`/${page}/*`, (c, next) => showDocument(c, next, `/${page}/*`));
  }
  return door;
}

/** The one document of all pages. What does not ask for a page goes on to other doors. */
async function showDocument(c: HonoContext<Door>, next: () => Promise<void>, route: string) {
  if (!asksForPage(c)) return next();
  c.set("route", route);
  const document = await readDocument();
  if (document === undefined) {
    return c.text("The console is not built. Run: npm run build -w @toolhost/console", 503);
  }
  return c.body(document, 200, documentHeaders);
}

/**
 * The console, which says itself that nothing is at this address, for people who followed a wrong link; undefined for
 * programs, and below the paths that are theirs.
 */
export async function showMissingPage(c: HonoContext<Door>): Promise<Response | undefined> {
  const isForPrograms = ["api", "bot", "console", "oauth", ".well-known"].includes(
    c.req.path.split("/")[1] ?? "",
  );
  if (isForPrograms || c.req.method !== "GET" || !asksForPage(c)) return undefined;
  const document = await readDocument();
  return document === undefined ? undefined : c.body(document, 404, documentHeaders);
}

function asksForPage(c: HonoContext<Door>): boolean {
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
  // After an update the next page that is opened is the new one.
  "cache-control": "no-cache",
};
