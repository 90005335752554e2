import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { SwaggerRequest } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import { currentWorkspaceId } from "#api/current-workspace";
import { api } from "#api/client";
import { nameControls } from "./name-controls.ts";
import { prepareSpec } from "./prepare-spec.ts";

let rendered: Promise<HTMLElement> | undefined;

/**
 * The reference as an element. It is rendered once and reused: the library cannot unmount, and expanded sections are still
 * there when the user returns. Throws `ApiProblem` when the OpenAPI document cannot be loaded.
 */
export function loadReference(): Promise<HTMLElement> {
  rendered ??= render().catch((error: unknown) => {
    rendered = undefined;
    throw error;
  });
  return rendered;
}

async function render(): Promise<HTMLElement> {
  const spec = prepareSpec(await api.get("/openapi.json"), location.origin);
  const element = document.createElement("div");
  nameControls(element);
  await new Promise<void>((resolve) => {
    SwaggerUI({
      domNode: element,
      spec,
      // No requests to other servers.
      validatorUrl: null,
      // The router owns the URL.
      deepLinking: false,
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
      filter: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      requestInterceptor: addCredentials,
      onComplete: resolve,
    });
  });
  return element;
}

/** Adds the session cookie, the workspace of this tab and, for writes, a new Idempotency-Key. */
function addCredentials(request: SwaggerRequest): SwaggerRequest {
  const { headers } = request;
  const headerNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const workspaceId = currentWorkspaceId();
  if (workspaceId !== undefined) headers["X-Workspace-Id"] = workspaceId;
  if (request.method.toUpperCase() !== "GET" && !headerNames.has("idempotency-key")) {
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  return { ...request, credentials: "same-origin" };
}
