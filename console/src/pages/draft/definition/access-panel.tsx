import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { CredentialsPanel } from "./credentials-panel.tsx";
import { messages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { objectAt, packagesOf, readPackages, sourceOf, textsAt } from "./read-definition.ts";

const languages = [
  { id: "typescript", label: messages.packages.languages.typescript },
  { id: "javascript", label: messages.packages.languages.javascript },
] as const;

/** What the code can access: hosts, credentials, npm packages. */
export function AccessPanel(): ReactNode {
  const { definition, change } = useDraft();
  return (
    <>
      <Panel title={messages.hosts.title} lead={messages.hosts.lead}>
        <LinesField
          label={messages.hosts.label}
          hint={messages.hosts.hint}
          lines={textsAt(definition, "allowedHosts")}
          onChange={(allowedHosts) =>
            change({ allowedHosts: allowedHosts.length === 0 ? undefined : allowedHosts })
          }
        />
      </Panel>
      <CredentialsPanel />
      <Panel title={messages.packages.title} lead={messages.packages.lead}>
        <PackagesField />
        <SelectField
          label={messages.packages.language}
          choices={languages}
          value={sourceOf(definition).language}
          onChange={(language) =>
            change({ source: { ...objectAt(definition, "source"), language } })
          }
          className="max-w-xs"
        />
      </Panel>
    </>
  );
}

const packagesPath = "source/dependencies";

/** The packages, one per line. Invalid and duplicate lines stay as typed and are not applied. */
function PackagesField(): ReactNode {
  const { definition, change, state, store } = useDraft();
  const invalidText = state.texts[packagesPath];
  const lines = invalidText === undefined ? packagesOf(definition) : invalidText.split("\n");
  const invalid = invalidText === undefined ? [] : readPackages(lines).invalid;
  const read = (typed: string[]) => {
    const { packages, invalid: rest } = readPackages(typed);
    store.setText(packagesPath, rest.length === 0 ? undefined : typed.join("\n"));
    const { dependencies: _old, ...source } = objectAt(definition, "source");
    const isEmpty = Object.keys(packages).length === 0;
    change({ source: isEmpty ? source : { ...source, dependencies: packages } });
  };
  return (
    <LinesField
      label={messages.packages.label}
      hint={messages.packages.hint}
      lines={lines}
      onChange={read}
      error={invalid.length === 0 ? undefined : messages.packages.invalid(invalid)}
    />
  );
}
