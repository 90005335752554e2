import { html } from "hono/html";
import type { Refusal } from "#core/identity";
import { toPage } from "./page.ts";
import type { Html } from "./page.ts";

/**
 * Tells a person why an app is not connected, for the app's address cannot be trusted with that (RFC 6749, section
 * 4.1.2.1): nothing on the page leads to where the request came from.
 */
export async function showRefusal(refusal: Refusal): Promise<Response> {
  const title = "This app could not be connected";
  const body = html`<h1>${title}</h1>
    <p role="alert">${wordsOf(refusal)}</p>
    <p>Nobody was given access. You may close this window.</p>
    <details>
      <summary>For whoever makes the app</summary>
      <dl>
        <dt>Refusal</dt>
        <dd><code>${refusal.error}</code>: ${refusal.description}</dd>
        ${named("App", refusal.clientName)}${named("Client id", plain(refusal.clientId))}
        ${named("Asked to lead back to", plain(refusal.redirectUri))}
      </dl>
    </details>`;
  return toPage({ title, body, status: refusal.status >= 500 ? 500 : 400 });
}

function wordsOf({ error, isOver }: Refusal): string {
  if (error === "invalid_client" || error === "invalid_client_metadata") {
    return "This server does not know the app. Remove the connection in the app and connect it anew.";
  }
  if (error === "invalid_redirect_uri") {
    return "The app asked to lead you back to an address that it did not register, so you were not led there.";
  }
  if (isOver) {
    return "The request is no longer open: it was answered already, or it took too long. Start again in the app.";
  }
  if (error === "server_error")
    return "Something went wrong here. Go back to the app and try again.";
  return "What the app asked for is not what this server understands. Go back to the app and try again.";
}

/** Whoever makes a request could say anything in it, but addresses and ids need no more than these letters. */
function plain(value: string | undefined): string | undefined {
  if (value === undefined || /^[\x21-\x7e]{1,300}$/.test(value)) return value;
  return "not shown: it is no plain text";
}

function named(name: string, value: string | undefined): Html | "" {
  if (value === undefined) return "";
  return html`<dt>${name}</dt>
    <dd><bdi>${value}</bdi></dd>`;
}
