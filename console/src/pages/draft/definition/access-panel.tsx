import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { CredentialsPanel } from "./credentials-panel.tsx";
import { Panel } from "./panel.tsx";
import { objectAt, packagesOf, readPackages, sourceOf, textsAt } from "./read-definition.ts";

const languages = [
  { id: "typescript", label: "TypeScript" },
  { id: "javascript", label: "JavaScript" },
] as const;

/** What the code may reach: hosts, credentials, npm packages. */
export function AccessPanel(): ReactNode {
  const { definition, change } = useDraft();
  return (
    <>
      <Panel
        title="Hosts"
        lead="A tool reaches no network but these hosts, by https on public addresses."
      >
        <LinesField
          label="Allowed hosts"
          hint="One a line, such as api.example.com or *.example.com."
          lines={textsAt(definition, "allowedHosts")}
          onChange={(allowedHosts) =>
            change({ allowedHosts: allowedHosts.length === 0 ? undefined : allowedHosts })
          }
        />
      </Panel>
      <CredentialsPanel />
      <Panel title="Packages" lead="From npm, bundled with the tool when it is saved.">
        <PackagesField />
        <SelectField
          label="Language"
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

const packagesPlace = "source/dependencies";

/** The packages, one a line. Lines that name none yet, or one twice, are kept as they were typed and do not count. */
function PackagesField(): ReactNode {
  const { definition, change, state, store } = useDraft();
  const kept = state.texts[packagesPlace];
  const lines = kept === undefined ? packagesOf(definition) : kept.split("\n");
  const odd = kept === undefined ? [] : readPackages(lines).odd;
  const read = (typed: string[]) => {
    const { packages, odd: left } = readPackages(typed);
    store.setText(packagesPlace, left.length === 0 ? undefined : typed.join("\n"));
    const { dependencies: _old, ...source } = objectAt(definition, "source");
    const isEmpty = Object.keys(packages).length === 0;
    change({ source: isEmpty ? source : { ...source, dependencies: packages } });
  };
  return (
    <LinesField
      label="npm packages"
      hint="One a line with its version, such as zod@4.6.7."
      lines={lines}
      onChange={read}
      error={
        odd.length === 0 ? undefined : `${odd.join(", ")}: write a name and a version, each once.`
      }
    />
  );
}
