import { hash } from "node:crypto";
import { findFont } from "@toolhost/console/pages";
import { controls, fontFaces, tokens } from "@toolhost/ui/design";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { messages } from "./messages.ts";

/** Markup with escaped values. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The layout of a page. Colors, type and controls are those of the console, which users see next. */
const layout = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;align-content:center;justify-items:center;gap:1.25rem;padding:1.5rem 1rem;background:var(--back);color:var(--text);font:var(--size-md)/1.5 var(--sans)}
.brand{display:flex;align-items:center;gap:.625rem;font-size:var(--size-lg);font-weight:600;letter-spacing:-.01em}
.brand svg{display:block;border-radius:var(--r)}
.brand rect{fill:var(--brand)}
.brand path{fill:none;stroke:var(--on-brand);stroke-width:4;stroke-linecap:round}
main{--control:2.25rem;width:100%;max-width:26rem;background:var(--paper);border:1px solid var(--line);border-radius:var(--r-xl);box-shadow:var(--shadow);padding:1.75rem 1.5rem;overflow-wrap:anywhere}
h1{font-size:var(--size-xl);font-weight:600;line-height:1.3;letter-spacing:-.01em;margin:0 0 1rem}
h2{font-size:var(--size-lg);font-weight:600;line-height:1.35;margin:1.125rem 0 .625rem}
p{margin:0 0 .75rem}
p.ui-note{margin-bottom:1rem}
main>:last-child{margin-bottom:0}
small,.soft{color:var(--soft);font-size:var(--size-sm)}
details{margin:0 0 .75rem}
summary{cursor:pointer;color:var(--soft);font-size:var(--size-sm)}
code{font:.92em var(--mono);background:var(--raised);border-radius:var(--r-sm);padding:.1em .35em}
form{display:grid;gap:1rem;margin:0 0 1rem}
form>p{margin:0}
form .ui-button+.ui-button{margin-top:-.5rem}
dl{margin:0 0 1rem}
dt{color:var(--soft);font-size:var(--size-sm)}
dd{margin:0 0 .5rem;font-weight:500}
fieldset{border:0;padding:0;margin:0;min-width:0}
a:not(.ui-button){color:var(--strong)}
`;

const font = findFont("inter-latin.woff2");
const style = `${fontFaces(findFont)}${tokens}${controls}${layout}`.replaceAll("\n", "");
const styleHash = `'sha256-${hash("sha256", style, "base64")}'`;

type Page = {
  title: string;
  body: Html;
  status?: 200 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
  /** CSP sources that forms on the page may submit or redirect to, besides this server. */
  formTargets?: readonly string[];
  headers?: Record<string, string>;
};

/**
 * A page whose policy allows its own style and the typeface of the console only: no scripts, images or requests. Other sites
 * cannot frame it.
 * Browsers do not cache it.
 */
export async function toPage({ title, body, status = 200, formTargets = [], headers }: Page) {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Toolhost</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <header class="brand">
          <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" />
            <path d="M8 10h16M16 10v14" />
          </svg>
          Toolhost
        </header>
        <main>${body}</main>
      </body>
    </html>`;
  const response = new Response(String(text), { status, headers: headers ?? {} });
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "font-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
  ];
  response.headers.set("content-type", "text/html; charset=utf-8");
  response.headers.set("content-security-policy", policy.join("; "));
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cache-control", "no-store");
  if (font !== undefined) {
    response.headers.append(
      "link",
      `<${font}>; rel=preload; as=font; type=font/woff2; crossorigin`,
    );
  }
  return response;
}

/** A page that explains an error and how to proceed. */
export async function toProblemPage(
  status: 400 | 403 | 404 | 409 | 422 | 429 | 503,
  message: string,
) {
  const body = html`<h1>${messages.page.problemTitle}</h1>
    <p role="alert">${message}</p>
    <p class="soft"><a href="/">${messages.page.home}</a></p>`;
  return toPage({ title: messages.page.problemTitle, body, status });
}
