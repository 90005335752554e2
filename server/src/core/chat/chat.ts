import type { Config } from "#config";
import { lazy } from "#lib/lazy";
import { createSlots } from "#lib/slots";
import type { Slots } from "#lib/slots";
import { createChatModel } from "./answers/model.ts";
import type { ChatModel } from "./answers/model.ts";
import type { ChatPlatform } from "./platform.ts";
import { createInboxWorker } from "./worker.ts";
import type { InboxWorker } from "./worker.ts";

/** A platform, whether or not this server is configured for it. */
export type KnownPlatform = Pick<ChatPlatform, "name" | "label" | "capabilities"> & {
  /** Undefined if this server is not configured for it. */
  configure: (config: Config) => ConfiguredPlatform | undefined;
};

export type ConfiguredPlatform = Omit<ChatPlatform, "name" | "label" | "capabilities">;

/** The state of the chat module in this process. */
export type Chat = {
  /** Every platform that the service supports. */
  known: readonly KnownPlatform[];
  /** The platforms that this server is configured for, by name. */
  platforms: ReadonlyMap<string, ChatPlatform>;
  /** Opens the language model on its first use; undefined on a server without one. */
  model: (() => Promise<ChatModel>) | undefined;
  worker: InboxWorker;
  /** Messages that wait for their reaction. */
  acknowledging: { slots: Slots; count: number };
};

const maxConcurrentAcknowledgements = 8;

/** Does nothing before the worker is started. */
export function createChat(config: Config, known: readonly KnownPlatform[]): Chat {
  const openModel = createChatModel(config);
  const platforms = known.flatMap(({ name, label, capabilities, configure }) => {
    const configured = configure(config);
    return configured === undefined ? [] : [{ name, label, capabilities, ...configured }];
  });
  return {
    known,
    platforms: new Map(platforms.map((platform) => [platform.name, platform])),
    model: openModel && lazy(openModel),
    worker: createInboxWorker(),
    acknowledging: { slots: createSlots(maxConcurrentAcknowledgements), count: 0 },
  };
}
