import type { Outbound } from "@toolhost/sandbox";
import type { IdentityContext } from "#core/identity";
import type { DeliveryWorker } from "./worker.ts";
import { createDeliveryWorker } from "./worker.ts";

export type WebhooksContext = IdentityContext & {
  /** Sends the service's own requests to other servers. */
  outbound: Outbound;
  webhooks: WebhooksState;
};

export type WebhooksState = {
  worker: DeliveryWorker;
  /** Webhooks whose test is in progress on this node. */
  testing: Set<string>;
};

export function createWebhooksState(): WebhooksState {
  return { worker: createDeliveryWorker(), testing: new Set() };
}
