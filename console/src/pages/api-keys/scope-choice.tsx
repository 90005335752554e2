import type { Scope } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { scopeLabels } from "#lib/roles";

/** What a key may do, each with what it means. What the person's role does not allow, no key of theirs can do. */
export function ScopeChoice({
  allowed,
  chosen,
  onChange,
  error,
}: {
  allowed: readonly Scope[];
  chosen: readonly Scope[];
  onChange: (chosen: readonly Scope[]) => void;
  error: string | undefined;
}): ReactNode {
  const all = Object.entries(scopeLabels) as [Scope, string][];
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">What it may do</legend>
      {all.map(([scope, words]) => (
        <Checkbox
          key={scope}
          hint={allowed.includes(scope) ? scope : `${scope} – your role does not allow this`}
          isDisabled={!allowed.includes(scope)}
          isSelected={chosen.includes(scope)}
          onChange={(isOn) =>
            onChange(
              all.map(([id]) => id).filter((id) => (id === scope ? isOn : chosen.includes(id))),
            )
          }
        >
          {words}
        </Checkbox>
      ))}
      {error === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          Choose at least one.
        </p>
      )}
    </fieldset>
  );
}
