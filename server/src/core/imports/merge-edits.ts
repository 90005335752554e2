import canonicalize from "canonicalize";
import type { CreateToolInput, ImportChange, JsonObject } from "@toolhost/contract";

/** The definitions of a tool whose source changed. */
type Sides = {
  /** What the import made before; undefined if that is unknown. */
  generated: CreateToolInput | undefined;
  edited: CreateToolInput;
  /** What the import makes now. */
  changed: CreateToolInput;
};
type Picks = Readonly<Record<string, "edited" | "changed">>;

/** The parts in which the live and the new definition differ, and who changed each. Without what was generated, both did. */
export function compareSides({ generated, edited, changed }: Sides): ImportChange["parts"] {
  const [before, mine, theirs] = [generated, edited, changed].map(partsOf);
  const parts = new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})]);
  return [...parts]
    .filter((part) => !isSame(mine?.[part], theirs?.[part]))
    .map((part) => {
      const isEdited = generated === undefined || !isSame(before?.[part], mine?.[part]);
      const isChanged = generated === undefined || !isSame(before?.[part], theirs?.[part]);
      return { part, changedBy: isEdited && isChanged ? "both" : isEdited ? "edit" : "source" };
    });
}

/**
 * The live definition with the changes of its source. A part that only one side changed is that side's; of others, the pick
 * decides. Returns the parts without a pick instead, if there are any.
 */
export function mergeSides(
  sides: Sides,
  picks: Picks,
): { definition: CreateToolInput } | { open: string[] } {
  const differences = compareSides(sides);
  const open = differences.filter(
    ({ part, changedBy }) => changedBy === "both" && !(part in picks),
  );
  if (open.length > 0) return { open: open.map(({ part }) => part) };
  const merged = new Map(Object.entries(partsOf(sides.changed)));
  const edited = partsOf(sides.edited);
  for (const { part, changedBy } of differences) {
    if (changedBy === "source" || (changedBy === "both" && picks[part] === "changed")) continue;
    if (edited[part] === undefined) merged.delete(part);
    else merged.set(part, edited[part]);
  }
  return { definition: fromParts(Object.fromEntries(merged), sides.edited) };
}

const sourceParts = new Set(["code", "dependencies", "language"]);

/** What is compared: each setting, and of the source each part. An import says nothing about the visibility. */
function partsOf(definition: CreateToolInput | undefined): JsonObject {
  if (definition === undefined) return {};
  const { visibility: _, source, ...settings } = definition;
  return { ...settings, ...source } as JsonObject;
}

function fromParts(parts: JsonObject, { visibility }: CreateToolInput): CreateToolInput {
  const entries = Object.entries(parts);
  const source = Object.fromEntries(entries.filter(([part]) => sourceParts.has(part)));
  const settings = Object.fromEntries(entries.filter(([part]) => !sourceParts.has(part)));
  return { ...settings, visibility, source } as unknown as CreateToolInput;
}

function isSame(first: unknown, second: unknown): boolean {
  return canonicalize(first ?? null) === canonicalize(second ?? null);
}
