import { html } from "hono/html";
import { messages } from "./messages.ts";
import { toPage } from "./page.ts";

const reloadSeconds = 2;

/** The page of a service that does not serve requests yet, or no longer. It reloads until the requested page is there. */
export function toWaitingPage(state: "starting" | "stopping"): Promise<Response> {
  const { title, body } = messages.waiting[state];
  return toPage({
    title,
    body: html`<h1>${title}</h1>
      <p role="status">${body}</p>`,
    status: 503,
    headers: { refresh: String(reloadSeconds), "retry-after": String(reloadSeconds) },
  });
}
