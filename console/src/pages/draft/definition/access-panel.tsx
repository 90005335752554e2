import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { CredentialsPanel } from "./credentials-panel.tsx";
import { messages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { PackagesField } from "./packages-field.tsx";
import { objectAt, sourceOf, textsAt } from "./read-definition.ts";

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
