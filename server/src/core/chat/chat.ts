import { createSlots } from "#lib/slots";
import type { Slots } from "#lib/slots";
import type { ChatPlatform } from "./platform.ts";
import type { Responder } from "./responder.ts";
import { createChatWorker } from "./worker.ts";
import type { ChatWorker } from "./worker.ts";

/** A platform, whether or not the server is set up for it. */
export type KnownPlatform = Pick<ChatPlatform, "name" | "label"> & {
  /** Whether it tells the e-mail addresses of its people. */
  tellsAddresses: boolean;
};

/** What this process has for chats. */
export type Chat = {
  /** Every platform that there is a door for. */
  known: readonly KnownPlatform[];
  /** Those that the server is set up for, by name. */
  platforms: ReadonlyMap<string, ChatPlatform>;
  responder: Responder;
  worker: ChatWorker;
  /** Messages that are being shown as seen. */
  acknowledging: { slots: Slots; count: number };
};

const acknowledgedAtOnce = 8;

/** Nothing happens before the worker is started. */
export function createChat(parts: {
  known: Chat["known"];
  platforms: readonly ChatPlatform[];
  responder: Responder;
}): Chat {
  return {
    known: parts.known,
    platforms: new Map(parts.platforms.map((platform) => [platform.name, platform])),
    responder: parts.responder,
    worker: createChatWorker(),
    acknowledging: { slots: createSlots(acknowledgedAtOnce), count: 0 },
  };
}
