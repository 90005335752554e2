import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { messages } from "./messages.ts";

/** Markup with escaped values. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Colors and shapes match the console, which users see next. */
const style = `
:root { color-scheme: light dark; --text: light-dark(#191c21, #eceef2); --soft: light-dark(#565d6b, #a9b0bd);
  --paper: light-dark(#fff, #181b20); --back: light-dark(#f6f7f9, #101216); --raised: light-dark(#eef0f4, #22262d);
  --line: light-dark(#dfe2e8, #2d323b); --edge: light-dark(#858c99, #747c8a); --strong: light-dark(#2450b8, #8fb0ff);
  --on-strong: light-dark(#fff, #10131a); --bad: light-dark(#a8201a, #ff9c94); --bad-soft: light-dark(#fdeceb, #3a1f1e); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; align-content: center; justify-items: center; gap: 20px; padding: 24px 16px;
  background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 600; letter-spacing: -.01em; }
.brand svg { display: block; border-radius: 7px; }
main { width: 100%; max-width: 27rem; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 28px 24px;
  overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -.01em; margin: 0 0 14px; }
h2 { font-size: 1.05rem; line-height: 1.35; margin: 18px 0 10px; }
p { margin: 0 0 12px; }
main > :last-child { margin-bottom: 0; }
small, .soft { color: var(--soft); font-size: .93rem; }
details { margin: 0 0 12px; } summary { cursor: pointer; color: var(--soft); font-size: .93rem; }
code { font: .92em ui-monospace, monospace; background: var(--raised); border-radius: 5px; padding: .1em .35em; }
form { margin: 0 0 14px; }
dl { margin: 0 0 16px; } dt { color: var(--soft); font-size: .93rem; } dd { margin: 0 0 8px; font-weight: 600; }
label, legend { display: block; font-weight: 500; margin-bottom: 4px; }
fieldset { border: 0; padding: 0; margin: 0 0 16px; }
fieldset label { font-weight: 400; display: flex; gap: 10px; align-items: flex-start; padding: 6px 0; }
input:not([type=checkbox]):not([type=radio]), select, textarea { width: 100%; min-height: 40px; font: inherit; padding: 8px 12px; margin-bottom: 14px;
  border: 1px solid var(--edge); border-radius: 8px; background: var(--paper); color: inherit; }
input[readonly] { background: var(--raised); }
input[type=checkbox], input[type=radio] { width: 1.15rem; height: 1.15rem; margin: 3px 0 0; flex: none; accent-color: var(--strong); }
button, a.action { font: inherit; font-weight: 500; width: 100%; min-height: 40px; padding: 8px 16px; border-radius: 8px; border: 1px solid var(--strong);
  background: var(--strong); color: var(--on-strong); cursor: pointer; margin-top: 8px; }
a.action { display: block; text-align: center; text-decoration: none; }
button:hover, a.action:hover { opacity: .9; }
button.quiet { background: transparent; color: var(--text); border-color: var(--edge); }
a { color: var(--strong); }
:focus-visible { outline: 2px solid var(--strong); outline-offset: 2px; }
.problem { color: var(--bad); background: var(--bad-soft); border-radius: 8px; padding: 8px 12px; }
`;

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
 * A self-contained page: its policy forbids scripts, images and requests, and other sites cannot frame it.
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
            <rect width="32" height="32" fill="#2450b8" />
            <path d="M8 10h16M16 10v14" stroke="#fff" stroke-width="4" stroke-linecap="round" />
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
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
  ];
  response.headers.set("content-type", "text/html; charset=utf-8");
  response.headers.set("content-security-policy", policy.join("; "));
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cache-control", "no-store");
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
