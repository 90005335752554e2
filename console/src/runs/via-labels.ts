import type { Via } from "@toolhost/contract";
import { messages } from "./messages.ts";

/** How a run was started, to follow the name of a person. */
export const viaLabels: Readonly<Record<Via, string>> = messages.via;
