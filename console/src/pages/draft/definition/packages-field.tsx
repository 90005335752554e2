import type { ReactNode } from "react";
import { Button } from "#components/button";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { messages as allMessages } from "./messages.ts";
import { packagesOf, readPackages } from "./read-definition.ts";
import { useNewestPackages } from "./use-newest-packages.ts";
import { packagesPath, writePackages } from "./write-packages.ts";

const messages = allMessages.packages;

/** The packages, one per line. Invalid and duplicate lines stay as typed and are not applied. */
export function PackagesField(): ReactNode {
  const { definition, state, store } = useDraft();
  const { add, isAdding, errorOf } = useNewestPackages();
  const invalidText = state.texts[packagesPath];
  const lines = invalidText === undefined ? packagesOf(definition) : invalidText.split("\n");
  const { invalid, unversioned } = readPackages(invalidText === undefined ? [] : lines);
  return (
    <>
      <LinesField
        label={messages.label}
        hint={messages.hint}
        lines={lines}
        onChange={(typed) => writePackages(store, typed)}
        error={invalid.length === 0 ? undefined : messages.invalid(invalid)}
      />
      {unversioned.map((name) => (
        <div key={name} className="grid justify-items-start gap-1">
          <Button isPending={isAdding(name)} onPress={() => add(name)}>
            {messages.addNewest(name)}
          </Button>
          {errorOf(name) === undefined ? null : (
            <p role="alert" className="ui-error wrap-anywhere">
              {errorOf(name)}
            </p>
          )}
        </div>
      ))}
    </>
  );
}
