export type { WebhooksContext } from "./context.ts";
export { createWebhooksState } from "./context.ts";
export { startWebhookWorker } from "./deliver.ts";
export {
  listDeliveries,
  readDeliveryState,
  requeueDeadLetters,
  requeueDelivery,
} from "./deliveries.ts";
export { deleteOldDeliveries } from "./delivery-store.ts";
export { outboxColumns, webhookOutbox } from "./outbox.ts";
export { testWebhook } from "./test-webhook.ts";
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
} from "./webhooks.ts";
