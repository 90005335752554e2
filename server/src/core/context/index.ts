import type { ChatContext } from "#core/chat";
import type { StatsContext } from "#core/stats";

/** The context of the interfaces: those of the highest floors, which include those of all others. */
export type Context = ChatContext & StatsContext;
