import { useQuery } from "@tanstack/react-query";
import type { JsonObject } from "@toolhost/contract";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { allItemsQuery, meQuery } from "#api/queries";
import { Button, IconButton } from "#components/button";
import { Checkbox, TextField } from "#components/fields";
import { useDraft } from "../draft-context.ts";
import { LinesField } from "../lines-field.tsx";
import { useRowFocus } from "../use-row-focus.ts";
import { CredentialOwners } from "./credential-owners.tsx";
import { messages as allMessages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { credentialsOf, objectsAt, textAt } from "./read-definition.ts";

const messages = allMessages.credentials;

/** The credentials that the tool requests, and whether the user or the workspace has them. */
export function CredentialsPanel(): ReactNode {
  const { definition, change } = useDraft();
  const { data: me } = useQuery(meQuery);
  const { data: known } = useQuery({
    ...allItemsQuery("/credentials"),
    enabled: me?.scopes.includes("credentials:write") === true,
  });
  const { rowsRef, focusAfter } = useRowFocus<HTMLElement>();
  const raw = objectsAt(definition, "credentials");
  const set = (next: JsonObject[]) => change({ credentials: next.length === 0 ? undefined : next });
  const patch = (at: number, members: JsonObject) =>
    set(raw.map((one, index) => (index === at ? { ...one, ...members } : one)));
  return (
    <Panel
      rowsRef={rowsRef}
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button
          data-add
          onPress={() => {
            focusAfter("added");
            set([...raw, { name: freeName(raw), description: "", hosts: [] }]);
          }}
        >
          <Plus size={16} aria-hidden />
          {messages.add}
        </Button>
      }
    >
      {credentialsOf(definition).map(({ name, description, hosts, expose }, at) => (
        <fieldset
          // The index is the key, because the name changes while it is typed.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          className="grid min-w-0 gap-3 rounded-xl border border-line p-4"
        >
          <legend className="sr-only">{messages.legend(name)}</legend>
          <div className="flex items-start justify-between gap-2">
            <CredentialOwners
              known={known}
              name={name}
              hosts={hosts}
              resource={textAt(raw[at] ?? {}, "resource")}
            />
            <IconButton
              label={messages.remove(name)}
              onPress={() => {
                focusAfter("removed");
                set(raw.filter((_, index) => index !== at));
              }}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          <TextField
            label={messages.name}
            isCode
            value={name}
            error={/^[A-Z][A-Z0-9_]{0,63}$/.test(name) ? undefined : messages.invalidName}
            onChange={(value) => patch(at, { name: value.toUpperCase() })}
          />
          <TextField
            label={messages.description}
            hint={messages.descriptionHint}
            value={description}
            onChange={(value) => patch(at, { description: value })}
          />
          <LinesField
            label={messages.hosts}
            hint={messages.hostsHint}
            lines={hosts}
            onChange={(value) => patch(at, { hosts: value })}
          />
          <Checkbox
            isSelected={expose}
            onChange={(isExposed) => patch(at, { expose: isExposed })}
            hint={messages.exposeHint}
          >
            {messages.expose}
          </Checkbox>
        </fieldset>
      ))}
    </Panel>
  );
}

function freeName(credentials: readonly JsonObject[]): string {
  const names = new Set(credentials.map(({ name }) => name));
  let free = "API_KEY";
  for (let count = 2; names.has(free); count += 1) free = `API_KEY_${count}`;
  return free;
}
