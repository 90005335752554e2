import type { MatchReason } from "@toolhost/contract";
import type { ReactNode } from "react";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.reasons;

/** More than these say little. */
const maxShown = 3;

/** Why a search found a tool: "Matches: invoice (title), bill → invoice (synonym, description)". */
export function MatchReasons({ reasons }: { reasons: readonly MatchReason[] }): ReactNode {
  if (reasons.length === 0) return null;
  const words = new Set<string>();
  // Several words of a query may match the same word of a tool.
  const isNew = ({ matched }: MatchReason) => !words.has(matched) && words.add(matched);
  return (
    <p className="mt-0.5 text-xs text-soft">
      {messages.label}{" "}
      {reasons
        .filter(isNew)
        .slice(0, maxShown)
        .map((reason, position) => (
          // The list is replaced as a whole.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={position}>
            {position === 0 ? "" : ", "}
            <Reason reason={reason} />
          </span>
        ))}
    </p>
  );
}

/** Kinds whose word is the one that the tool has, or that people searched for. */
const sameWord: ReadonlySet<MatchReason["through"]> = new Set(["word", "name", "learned"]);

function Reason({
  reason: { word, matched, through, fields },
}: {
  reason: MatchReason;
}): ReactNode {
  if (through === "meaning") return messages.kinds.meaning;
  const notes = [messages.kinds[through], ...fields.map((field) => messages.fields[field])];
  return (
    <>
      {sameWord.has(through) ? null : (
        <>
          <bdi>{word}</bdi> →{" "}
        </>
      )}
      <bdi className="text-text">{matched}</bdi> ({notes.filter((note) => note !== "").join(", ")})
    </>
  );
}
