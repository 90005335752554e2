export type { Relay } from "./relay.ts";
export { createRelay } from "./relay.ts";
export { deleteOldMessages, fetchMessages, nudgeAnywhere, relayMessage } from "./relay-message.ts";
