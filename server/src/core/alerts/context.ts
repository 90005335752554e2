import type { ChatContext } from "#core/chat";
import type { StatsContext } from "#core/stats";

export type AlertsContext = ChatContext & StatsContext;
