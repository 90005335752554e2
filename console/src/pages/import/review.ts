import type { ImportChange } from "@toolhost/contract";

/** Which side a draft takes of parts that both sides changed. */
export type Picks = Readonly<Record<string, "edited" | "changed">>;

/** What the user decided about the change of a tool. */
export type Review = {
  isReviewed?: boolean;
  picks?: Picks;
  /** The draft that was created of it. */
  draftId?: string;
};

/** By {@link reviewId}: a change that was changed again since has to be reviewed again. */
export type Reviews = Readonly<Record<string, Review>>;

export function reviewId({ toolName, hash }: ImportChange): string {
  return `${toolName} ${hash}`;
}

/** The parts that need a pick before a draft can be created. */
export function openParts({ isEdited, parts }: ImportChange, picks: Picks = {}): string[] {
  if (!isEdited) return [];
  return parts
    .filter(({ part, changedBy }) => changedBy === "both" && picks[part] === undefined)
    .map(({ part }) => part);
}

/** Whether applying a change replaces edits of the tool. */
export function discardsEdits({ isEdited, after }: ImportChange): boolean {
  return isEdited && after !== null;
}

/** Whether applying a change archives the tool. */
export function archives({ kind }: ImportChange): boolean {
  return kind === "removed";
}
