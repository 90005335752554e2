import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { itemMessages } from "./messages.ts";
import { resolveServer } from "./server-url.ts";
import type { ImportServer, ServerChoice } from "./server-url.ts";

const messages = itemMessages.create;
const other = "other";

/** Chooses the base URL of the API, and shows where requests go. */
export function ServerField({
  shown,
  choice,
  onChange,
  error,
}: {
  shown: ImportResource;
  choice: ServerChoice;
  onChange: (choice: ServerChoice) => void;
  error: string | undefined;
}): ReactNode {
  const { servers } = shown;
  const server = "index" in choice ? servers[choice.index] : undefined;
  const url = resolveServer(shown, choice);
  return (
    <div className="grid grid-cols-1 gap-3">
      {servers.length === 0 ? null : (
        <SelectField
          label={messages.server}
          value={"index" in choice ? String(choice.index) : other}
          choices={[
            ...servers.map((one, index) => ({
              id: String(index),
              label: one.url,
              hint: one.description,
            })),
            { id: other, label: messages.otherServer },
          ]}
          onChange={(id) =>
            onChange(id === other ? { other: url ?? "" } : { index: Number(id), variables: {} })
          }
        />
      )}
      {"index" in choice ? (
        <Variables
          variables={server?.variables ?? []}
          values={choice.variables}
          onChange={(variables) => onChange({ ...choice, variables })}
        />
      ) : (
        <TextField
          label={messages.serverUrl}
          hint={servers.length === 0 ? messages.serverNeeded : messages.serverUrlHint}
          placeholder={messages.serverUrlPlaceholder}
          type="url"
          inputMode="url"
          isCode
          isRequired
          value={choice.other}
          onChange={(typed) => onChange({ other: typed })}
          error={error}
        />
      )}
      {url === undefined ? null : (
        <p className="text-sm wrap-anywhere text-soft">
          {messages.requestsTo} <code className="font-mono text-xs text-text">{url}</code>
        </p>
      )}
    </div>
  );
}

function Variables({
  variables,
  values,
  onChange,
}: {
  variables: ImportServer["variables"];
  values: Readonly<Record<string, string>>;
  onChange: (values: Readonly<Record<string, string>>) => void;
}): ReactNode {
  return variables.map(({ name, default: initial, choices, description }) => {
    const value = values[name] ?? initial;
    const change = (text: string) => onChange({ ...values, [name]: text });
    return choices.length === 0 ? (
      <TextField
        key={name}
        label={name}
        hint={description}
        isCode
        value={value}
        onChange={change}
      />
    ) : (
      <SelectField
        key={name}
        label={name}
        value={value}
        choices={[...new Set([initial, ...choices])].map((id) => ({ id, label: id }))}
        onChange={change}
      />
    );
  });
}
