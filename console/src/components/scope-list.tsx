import type { Scope } from "@toolhost/contract/scopes";
import type { ReactNode } from "react";

/** The scopes of a key or an app in a cell of a table, which may cut them off. */
export function ScopeList({ scopes }: { scopes: readonly Scope[] }): ReactNode {
  const text = scopes.join(", ");
  return (
    <code title={text} className="text-xs text-soft">
      {text}
    </code>
  );
}
