import type { ReactNode } from "react";
import { errorMessage } from "#api/problem";
import { messages as allMessages } from "./messages.ts";
import type { PackageTypesState } from "./use-package-types.ts";

const messages = allMessages.packages;

/** Shows which packages have no types in the editor, and why. Empty when all have types. */
export function PackageTypesStatus({ state }: { state: PackageTypesState }): ReactNode {
  const { packages, isLoading, error, retry } = state;
  const of = (types: string) =>
    packages.filter((one) => one.types === types).map(({ name }) => name);
  const without = of("none");
  const large = of("too_large");
  const lines = isLoading
    ? [messages.loading]
    : [
        ...(error === null ? [] : [messages.failed(errorMessage(error))]),
        ...(without.length === 0 ? [] : [messages.untyped(without.join(", "))]),
        ...(large.length === 0 ? [] : [messages.tooLarge(large.join(", "))]),
      ];
  return (
    <div
      role="status"
      className={lines.length === 0 ? "" : "border-t border-line px-3 py-1 text-xs text-soft"}
    >
      {lines.map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
      {error === null ? null : (
        <button type="button" className="cursor-pointer rounded-sm underline" onClick={retry}>
          {messages.retry}
        </button>
      )}
    </div>
  );
}
