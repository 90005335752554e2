import type { ImportChange, JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Difference } from "#components/differences";
import { SelectField } from "#components/select-field";
import { labelOf, partsOf } from "#lib/definition-parts";
import { changeMessages } from "./messages-changes.ts";
import type { Picks } from "./review.ts";

const messages = changeMessages.combined;

type Props = {
  change: ImportChange & { after: JsonObject };
  picks: Picks;
  onPick: (picks: Picks) => void;
};

/**
 * What a draft combines: the edits of a tool and the change of its source, part by part. Where both changed the same part, the
 * user picks one.
 */
export function CombinedChange({ change, picks, onPick }: Props): ReactNode {
  const { parts, before, after, generated } = change;
  const texts = {
    generated: partsOf(generated ?? before),
    before: partsOf(before),
    after: partsOf(after),
  };
  return (
    <ul aria-label={messages.list} className="grid min-w-0 grid-cols-1 gap-4">
      {parts.map(({ part, changedBy }) => {
        const label = labelOf(part);
        const textOf = (side: keyof typeof texts) => texts[side].get(label) ?? "";
        const pick = picks[part];
        return (
          <li key={part} className="grid min-w-0 grid-cols-1 gap-2">
            <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
              {label}
              <Badge tone={changedBy === "both" ? "warn" : "soft"}>
                {messages.changedBy[changedBy]}
              </Badge>
            </p>
            {generated === null ? (
              <Difference label={label} before={textOf("before")} after={textOf("after")} />
            ) : null}
            {generated === null || changedBy === "source" ? null : (
              <Difference
                label={messages.edit(label)}
                before={textOf("generated")}
                after={textOf("before")}
              />
            )}
            {generated === null || changedBy === "edit" ? null : (
              <Difference
                label={messages.source(label)}
                before={textOf("generated")}
                after={textOf("after")}
              />
            )}
            {changedBy === "both" ? (
              <SelectField
                label={messages.pick(label)}
                value={pick ?? "open"}
                choices={[
                  ...(pick === undefined ? [{ id: "open" as const, label: messages.open }] : []),
                  { id: "edited" as const, label: messages.picks.edited },
                  { id: "changed" as const, label: messages.picks.changed },
                ]}
                onChange={(side) => {
                  if (side !== "open") onPick({ ...picks, [part]: side });
                }}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
