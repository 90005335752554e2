import type { Scope } from "@toolhost/contract";
import { scopes } from "@toolhost/contract/scopes";
import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { messages } from "./messages.ts";

const text = messages.form;

/** The scopes of a key. Those that the user's role lacks are disabled. */
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
  const all = Object.entries(scopes) as [Scope, string][];
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{text.scopes}</legend>
      {all.map(([scope, label]) => (
        <Checkbox
          key={scope}
          hint={allowed.includes(scope) ? scope : text.scopeNotAllowed(scope)}
          isDisabled={!allowed.includes(scope)}
          isSelected={chosen.includes(scope)}
          onChange={(isOn) =>
            onChange(
              all.map(([id]) => id).filter((id) => (id === scope ? isOn : chosen.includes(id))),
            )
          }
        >
          {label}
        </Checkbox>
      ))}
      {error === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {text.noScopes}
        </p>
      )}
    </fieldset>
  );
}
