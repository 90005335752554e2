import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** Markup whose parts are escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
:root { color-scheme: light dark; --text: #1a1c20; --soft: #5b616e; --paper: #fff; --back: #f4f5f7;
  --line: #8a909c; --strong: #2450b8; --on-strong: #fff; --bad: #a8201a; }
@media (prefers-color-scheme: dark) { :root { --text: #eceef2; --soft: #aab0bd; --paper: #1e2127; --back: #121418;
  --line: #727986; --strong: #8fb0ff; --on-strong: #10131a; --bad: #ff9c94; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--back);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 28rem; background: var(--paper); border-radius: 12px; padding: 28px 24px; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 12px; }
p { margin: 0 0 12px; }
small, .soft { color: var(--soft); font-size: .9rem; }
dl { margin: 0 0 16px; } dt { color: var(--soft); font-size: .9rem; } dd { margin: 0 0 8px; font-weight: 600; }
label, legend { display: block; font-weight: 600; margin-bottom: 4px; }
fieldset { border: 0; padding: 0; margin: 0 0 16px; }
fieldset label { font-weight: 400; display: flex; gap: 10px; align-items: flex-start; padding: 6px 0; }
input:not([type=checkbox]):not([type=radio]), select, textarea { width: 100%; font: inherit; padding: 10px 12px; margin-bottom: 14px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: inherit; }
input[type=checkbox], input[type=radio] { width: 1.15rem; height: 1.15rem; margin: 3px 0 0; flex: none; }
button { font: inherit; font-weight: 600; width: 100%; padding: 11px 16px; border-radius: 8px; border: 1px solid var(--strong);
  background: var(--strong); color: var(--on-strong); cursor: pointer; margin-top: 8px; }
button.quiet { background: transparent; color: var(--text); border-color: var(--line); }
a { color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
.problem { color: var(--bad); font-weight: 600; }
`;

const styleHash = `'sha256-${hash("sha256", style, "base64")}'`;

type Page = {
  title: string;
  body: Html;
  status?: 200 | 400 | 401 | 403 | 404 | 422 | 429 | 503;
  /** Besides this server, where a form on the page may lead, as CSP writes it. */
  formTargets?: readonly string[];
  headers?: Record<string, string>;
};

/**
 * A page that needs nothing but itself: no script, no picture, no request. It can be framed by nobody and
 * is kept nowhere.
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
        <main>${body}</main>
      </body>
    </html>`;
  const answer = new Response(String(text), { status, headers: headers ?? {} });
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
  ];
  answer.headers.set("content-type", "text/html; charset=utf-8");
  answer.headers.set("content-security-policy", policy.join("; "));
  answer.headers.set("x-frame-options", "DENY");
  answer.headers.set("referrer-policy", "same-origin");
  answer.headers.set("cache-control", "no-store");
  return answer;
}

/** A page that says what went wrong and what to do. */
export async function toProblemPage(status: 400 | 403 | 404 | 429, message: string) {
  const body = html`<h1>This did not work</h1>
    <p role="alert">${message}</p>`;
  return toPage({ title: "This did not work", body, status });
}
