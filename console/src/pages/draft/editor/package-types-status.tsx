import type { ReactNode } from "react";
import { errorMessage } from "#api/problem";
import type { PackageTypesState } from "./use-package-types.ts";

/** Says which packages the editor knows no types of, and why. Nothing while it knows all. */
export function PackageTypesStatus({ state }: { state: PackageTypesState }): ReactNode {
  const { packages, isReading, error, again } = state;
  const of = (types: string) =>
    packages.filter((one) => one.types === types).map(({ name }) => name);
  const without = of("none");
  const large = of("too_large");
  const words = isReading
    ? ["Reading the types of the packages…"]
    : [
        ...(error === null
          ? []
          : [`The types of the packages are not known: ${errorMessage(error)}`]),
        ...(without.length === 0
          ? []
          : [`${without.join(", ")}: without types of its own, so it counts as any.`]),
        ...(large.length === 0
          ? []
          : [`${large.join(", ")}: types too large for the editor, so it counts as any.`]),
      ];
  return (
    <div
      role="status"
      className={words.length === 0 ? "" : "border-t border-line px-3 py-1 text-xs text-soft"}
    >
      {words.map((one) => (
        <p key={one} className="wrap-anywhere">
          {one}
        </p>
      ))}
      {error === null ? null : (
        <button type="button" className="cursor-pointer rounded-sm underline" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
