import type { ChatContext } from "#core/chat";

/** What the interfaces work with: the context of the highest floor holds those of all others. */
export type Context = ChatContext;
