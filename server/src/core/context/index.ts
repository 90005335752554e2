import type { AlertsContext } from "#core/alerts";

/** The context of the interfaces: that of the highest floor, which includes those of all others. */
export type Context = AlertsContext;
