import type { ApiRequest } from "./api-call.ts";
import type {
  CreatedWebhook,
  CreateWebhookInput,
  RotatedWebhookSecret,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookTestResult,
} from "./api.ts";
import type { Client } from "./client.ts";
import type { CallOptions } from "./http.ts";

/** Calls about the webhooks of a workspace, for pages in which an owner or admin is signed in. API keys are refused. */
export type Webhooks = {
  list(options?: CallOptions): Promise<Webhook[]>;
  /** Returns the webhook with its secret, which is shown only here. */
  create(input: CreateWebhookInput, options?: CallOptions): Promise<CreatedWebhook>;
  update(id: string, input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Replaces the secret. The previous one also signs for another day. */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedWebhookSecret>;
  /** Sends a test event, and returns the result. */
  test(id: string, options?: CallOptions): Promise<WebhookTestResult>;
  /** All deliveries, newest first. */
  deliveries(
    id: string,
    query?: ApiRequest<"GET /webhooks/{id}/deliveries">["query"],
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined>;
  /** Sends an event again, or the oldest thousand dead letters. */
  requeue(id: string, which: { eventId: string } | "dead", options?: CallOptions): Promise<void>;
};

function at(id: string, options: CallOptions | undefined) {
  return { ...options, params: { id } };
}

/** Creates the calls about webhooks: `createWebhooks(client).create({ url })`. */
export function createWebhooks(client: Pick<Client, "request" | "list">): Webhooks {
  return {
    list: (options) => client.request("GET /webhooks", options),
    create: (body, options) => client.request("POST /webhooks", { ...options, body }),
    update: (id, body, options) =>
      client.request("PATCH /webhooks/{id}", { ...at(id, options), body }),
    delete: (id, options) => client.request("DELETE /webhooks/{id}", at(id, options)),
    rotateSecret: (id, options) =>
      client.request("POST /webhooks/{id}/rotate-secret", at(id, options)),
    test: (id, options) => client.request("POST /webhooks/{id}/test", at(id, options)),
    deliveries: (id, query, options) =>
      client.list("/webhooks/{id}/deliveries", { ...at(id, options), query: query ?? {} }),
    requeue: (id, which, options) =>
      which === "dead"
        ? client.request("POST /webhooks/{id}/requeue-dead-letters", at(id, options))
        : client.request("POST /webhooks/{id}/deliveries/{eventId}/requeue", {
            ...options,
            params: { id, ...which },
          }),
  };
}
