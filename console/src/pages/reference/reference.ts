import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { SwaggerRequest } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import { currentWorkspaceId } from "#api/current-workspace";
import { api } from "#api/client";
import { nameControls } from "./name-controls.ts";
import { prepareSpec } from "./prepare-spec.ts";

let shown: Promise<HTMLElement> | undefined;

/**
 * The reference as an element. It is made once and kept: the library cannot take itself away again, and what was unfolded or
 * tried is there when the person comes back. Throws `ApiProblem` when the description cannot be read.
 */
export function loadReference(): Promise<HTMLElement> {
  shown ??= render().catch((error: unknown) => {
    shown = undefined;
    throw error;
  });
  return shown;
}

async function render(): Promise<HTMLElement> {
  const spec = prepareSpec(await api.get("/openapi.json"), location.origin);
  const element = document.createElement("div");
  nameControls(element);
  await new Promise<void>((resolve) => {
    SwaggerUI({
      domNode: element,
      spec,
      // Nothing is asked of another server.
      validatorUrl: null,
      // Addresses are the router's.
      deepLinking: false,
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
      filter: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      requestInterceptor: sendAsPerson,
      onComplete: resolve,
    });
  });
  return element;
}

/** By the person's session, in the workspace of this tab, and each write with a key of its own. */
function sendAsPerson(request: SwaggerRequest): SwaggerRequest {
  const { headers } = request;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const workspaceId = currentWorkspaceId();
  if (workspaceId !== undefined) headers["X-Workspace-Id"] = workspaceId;
  if (request.method.toUpperCase() !== "GET" && !given.has("idempotency-key")) {
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  return { ...request, credentials: "same-origin" };
}
