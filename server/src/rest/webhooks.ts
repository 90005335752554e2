import {
  createdWebhook,
  createWebhookInput,
  listWebhookDeliveriesQuery,
  rotatedWebhookSecret,
  updateWebhookInput,
  webhook,
  webhookDelivery,
  webhookTestResult,
} from "@toolhost/contract";
import { z } from "zod";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  requeueDeadLetters,
  requeueDelivery,
  rotateSecret,
  testWebhook,
} from "#core/webhooks";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Webhooks";
const ofWebhook = z.object({ id: z.string().meta({ description: "The ID of the webhook." }) });

/** URLs that receive the ends of runs. API keys cannot manage them, because a webhook continues after its key is revoked. */
export const webhookRoutes = [
  defineRoute({
    method: "get",
    path: "/webhooks",
    operation: "listWebhooks",
    tag,
    summary: "List webhooks",
    description: "Returns all webhooks of the workspace, oldest first. Requires the role admin.",
    scope: "session",
    audit: null,
    status: 200,
    response: z.array(webhook),
    errors: ["forbidden"],
    handle: async ({ context, caller }) => ({ body: await listWebhooks(context, caller) }),
  }),
  defineRoute({
    method: "post",
    path: "/webhooks",
    operation: "createWebhook",
    tag,
    summary: "Create a webhook",
    description:
      "Runs that end from now on are reported to the URL, except private ones. The response contains the secret that signs the payloads. Requires the role admin.",
    scope: "session",
    audit: "webhook.create",
    isSecret: true,
    body: createWebhookInput,
    status: 201,
    response: createdWebhook,
    errors: ["forbidden", "quota_exceeded"],
    handle: async ({ context, caller, body }) => ({
      body: await createWebhook(context, caller, body),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/webhooks/{id}",
    operation: "getWebhook",
    tag,
    summary: "Get a webhook",
    description: "Requires the role admin.",
    scope: "session",
    audit: null,
    params: ofWebhook,
    status: 200,
    response: webhook,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => ({
      body: await getWebhook(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/webhooks/{id}",
    operation: "updateWebhook",
    tag,
    summary: "Update a webhook",
    description:
      "While a webhook is disabled, runs that end are not reported, and pending deliveries wait. Requires the role admin.",
    scope: "session",
    audit: "webhook.change",
    params: ofWebhook,
    body: updateWebhookInput,
    status: 200,
    response: webhook,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params, body }) => ({
      body: await changeWebhook(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/webhooks/{id}",
    operation: "deleteWebhook",
    tag,
    summary: "Delete a webhook",
    description: "Also deletes its pending deliveries and dead letters. Requires the role admin.",
    scope: "session",
    audit: "webhook.delete",
    params: ofWebhook,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => {
      await deleteWebhook(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{id}/rotate-secret",
    operation: "rotateWebhookSecret",
    tag,
    summary: "Rotate the secret of a webhook",
    description:
      "Returns a new secret. Each replaced secret also signs payloads for 24 hours, at most the last 5. Requires the role admin.",
    scope: "session",
    audit: "webhook.rotate_secret",
    isSecret: true,
    params: ofWebhook,
    status: 200,
    response: rotatedWebhookSecret,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params }) => ({
      body: await rotateSecret(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{id}/test",
    operation: "testWebhook",
    tag,
    summary: "Test a webhook",
    description:
      "Sends an event of type `webhook.test` now, without retries, and returns the outcome. Requires the role admin.",
    scope: "session",
    audit: "webhook.test",
    params: ofWebhook,
    status: 200,
    response: webhookTestResult,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, signal }) => ({
      body: await testWebhook(context, caller, params.id, signal),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/webhooks/{id}/deliveries",
    operation: "listWebhookDeliveries",
    tag,
    summary: "List deliveries of a webhook",
    description:
      "Returns the deliveries, newest first. Delivered events are listed for 7 days, dead letters for 30. Requires the role admin.",
    scope: "session",
    audit: null,
    params: ofWebhook,
    query: listWebhookDeliveriesQuery,
    status: 200,
    response: z.array(webhookDelivery),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, query: { limit, cursor, state }, url }) => {
      const page = { limit, after: idOfCursor(cursor), state };
      const { deliveries, next } = await listDeliveries(context, caller, params.id, page);
      return { body: deliveries, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{id}/deliveries/{eventId}/requeue",
    operation: "requeueWebhookDelivery",
    tag,
    summary: "Requeue a delivery",
    description:
      "Delivers a dead letter, or an event that was delivered, again with the same `webhook-id`. Requires the role admin.",
    scope: "session",
    audit: "webhook.requeue",
    params: ofWebhook.extend({ eventId: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => {
      await requeueDelivery(context, caller, params);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/webhooks/{id}/requeue-dead-letters",
    operation: "requeueWebhookDeadLetters",
    tag,
    summary: "Requeue the dead letters of a webhook",
    description: "Requeues at most the 1000 oldest dead letters. Requires the role admin.",
    scope: "session",
    audit: "webhook.requeue",
    params: ofWebhook,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => {
      await requeueDeadLetters(context, caller, params.id);
      return { body: null };
    },
  }),
];
