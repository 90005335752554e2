import type { ImportChange } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { changeMessages } from "./messages-changes.ts";

const tones = { changed: "warn", removed: "bad" } as const;

/** What the source did to a tool. */
export function ChangeBadge({ kind }: Pick<ImportChange, "kind">): ReactNode {
  return <Badge tone={tones[kind]}>{changeMessages.kinds[kind]}</Badge>;
}
