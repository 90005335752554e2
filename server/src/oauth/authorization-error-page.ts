import { html } from "hono/html";
import type { Refusal } from "#core/identity";
import { messages } from "./messages.ts";
import { toPage } from "./page.ts";
import type { Html } from "./page.ts";

const texts = messages.authorizationError;

/**
 * Explains to the user why an app was not connected. The redirect URI of such a request cannot be trusted (RFC 6749,
 * section 4.1.2.1), so the page has no link from the request.
 */
export async function showAuthorizationError(
  refusal: Refusal,
  usesDocuments: boolean,
): Promise<Response> {
  const { title } = texts;
  const body = html`<h1>${title}</h1>
    <p role="alert">${messageOf(refusal, usesDocuments)}</p>
    <p>${texts.noAccess} ${messages.page.closeWindow}</p>
    <details>
      <summary>${texts.details}</summary>
      <dl>
        <dt>${texts.error}</dt>
        <dd><code>${refusal.error}</code>: ${refusal.description}</dd>
        ${row(texts.app, refusal.clientName)} ${row(texts.clientId, plain(refusal.clientId))}
        ${row(texts.redirectUri, plain(refusal.redirectUri))}
      </dl>
    </details>`;
  return toPage({ title, body, status: refusal.status >= 500 ? 500 : 400 });
}

function messageOf({ error, isOver, clientId }: Refusal, usesDocuments: boolean): string {
  const isDocument = usesDocuments && clientId?.startsWith("https://") === true;
  if (error === "invalid_client" && isDocument) return texts.documentUnreadable;
  if (error === "invalid_client" || error === "invalid_client_metadata") return texts.unknownApp;
  if (error === "invalid_redirect_uri") return texts.redirectUriInvalid;
  if (isOver) return texts.expired;
  return error === "server_error" ? texts.serverError : texts.invalidRequest;
}

/** Valid IDs and URIs consist of these characters; other text could be a message from an attacker to the user. */
function plain(value: string | undefined): string | undefined {
  return value === undefined || /^[\x21-\x7e]{1,300}$/.test(value) ? value : texts.notShown;
}

function row(name: string, value: string | undefined): Html | "" {
  if (value === undefined) return "";
  return html`<dt>${name}</dt>
    <dd><bdi>${value}</bdi></dd>`;
}
