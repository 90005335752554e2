import {
  alert,
  alertEvent,
  createAlertInput,
  pageQuery,
  updateAlertInput,
} from "@toolhost/contract";
import { z } from "zod";
import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlertEvents,
  listAlerts,
  testAlert,
} from "#core/alerts";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Alerts";
const ofAlert = z.object({ id: z.string().meta({ description: "The ID of the alert." }) });

/** Conditions that notify people. API keys cannot manage them, because an alert continues after its key is revoked. */
export const alertRoutes = [
  defineRoute({
    method: "get",
    path: "/alerts",
    operation: "listAlerts",
    tag,
    summary: "List alerts",
    description: "Returns all alerts of the workspace, oldest first. Requires the role admin.",
    scope: "session",
    audit: null,
    status: 200,
    response: z.array(alert),
    errors: ["forbidden"],
    handle: async ({ context, caller }) => ({ body: await listAlerts(context, caller) }),
  }),
  defineRoute({
    method: "post",
    path: "/alerts",
    operation: "createAlert",
    tag,
    summary: "Create an alert",
    description:
      "The condition is checked within seconds, and then every minute. Private runs do not count. Recipients are notified once when the alert fires, and once when it is resolved. Requires the role admin.",
    scope: "session",
    audit: "alert.create",
    body: createAlertInput,
    status: 201,
    response: alert,
    errors: ["forbidden", "quota_exceeded"],
    handle: async ({ context, caller, body }) => ({
      body: await createAlert(context, caller, body),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/alerts/{id}",
    operation: "getAlert",
    tag,
    summary: "Get an alert",
    description: "Requires the role admin.",
    scope: "session",
    audit: null,
    params: ofAlert,
    status: 200,
    response: alert,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => ({
      body: await getAlert(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/alerts/{id}",
    operation: "updateAlert",
    tag,
    summary: "Update an alert",
    description:
      "If its condition, its tool or `enabled` changes, its state is `ok` until the next check, and it is not reported as resolved. Requires the role admin.",
    scope: "session",
    audit: "alert.change",
    params: ofAlert,
    body: updateAlertInput,
    status: 200,
    response: alert,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params, body }) => ({
      body: await changeAlert(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/alerts/{id}",
    operation: "deleteAlert",
    tag,
    summary: "Delete an alert",
    description: "Notifications that are pending are still delivered. Requires the role admin.",
    scope: "session",
    audit: "alert.delete",
    params: ofAlert,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => {
      await deleteAlert(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/alerts/{id}/test",
    operation: "testAlert",
    tag,
    summary: "Test an alert",
    description:
      "Sends a test notification to all recipients, also in quiet hours. `GET /alerts/{id}/events` shows the deliveries. Requires the role admin.",
    scope: "session",
    audit: "alert.test",
    params: ofAlert,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => {
      await testAlert(context, caller, params.id);
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/alerts/{id}/events",
    operation: "listAlertEvents",
    tag,
    summary: "List notifications of an alert",
    description:
      "Returns when the alert fired and was resolved, newest first, with the deliveries. Notifications are listed for 90 days, their deliveries to webhooks for up to 30. Requires the role admin.",
    scope: "session",
    audit: null,
    params: ofAlert,
    query: pageQuery,
    status: 200,
    response: z.array(alertEvent),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { events, next } = await listAlertEvents(context, caller, params.id, page);
      return { body: events, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
];
