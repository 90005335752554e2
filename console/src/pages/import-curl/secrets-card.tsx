import { useQuery } from "@tanstack/react-query";
import type { Credential } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { Secret } from "@toolhost/tool-schema/curl";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { SelectField } from "#components/select-field";
import { messages as credentialMessages } from "../credentials/messages.ts";
import { messages as allMessages } from "./messages.ts";
import {
  fittingCredentials,
  newSource,
  problemOf,
  savedCredential,
  takenNames,
} from "./secret-plan.ts";
import type { NewSource, SecretSource } from "./secret-plan.ts";

const messages = allMessages.secrets;
const { owners } = credentialMessages.form;

type Owner = "user" | "workspace";

type Props = {
  secrets: readonly Secret[];
  host: string;
  credentials: readonly Credential[];
  sources: ReadonlyMap<string, SecretSource>;
  onSource: (id: string, source: SecretSource) => void;
  owner: Owner;
  onOwner: (owner: Owner) => void;
};

/** The secrets of a command, each with the credential that it becomes. */
export function SecretsCard(props: Props): ReactNode {
  const { secrets, host, sources, owner, onOwner } = props;
  const { data: me } = useQuery(meQuery);
  const hasNew = [...sources.values()].some(({ kind }) => kind === "new");
  const maySelect = mayDo(me?.workspace.role ?? "", "credentials:share");
  return (
    <Card title={messages.title}>
      <p className="text-sm wrap-anywhere text-soft">{messages.lead(host)}</p>
      <ul className="grid min-w-0 divide-y divide-line">
        {secrets.map((secret) => (
          <SecretRow key={secret.id} secret={secret} {...props} />
        ))}
      </ul>
      {!hasNew ? null : maySelect ? (
        <SelectField
          label={messages.owner}
          className="max-w-xl"
          choices={[
            { id: "user", ...owners.user },
            { id: "workspace", ...owners.workspace },
          ]}
          value={owner}
          onChange={onOwner}
        />
      ) : (
        <p className="text-sm text-soft">{messages.onlyYou}</p>
      )}
    </Card>
  );
}

function SecretRow({
  secret,
  host,
  credentials,
  sources,
  onSource,
}: Props & { secret: Secret }): ReactNode {
  const { id, place, name, prefix, value } = secret;
  const source = sources.get(id) ?? { kind: "input" };
  const label = messages.label(place, name);
  const taken = takenNames(credentials, sources, id);
  const proposed = newSource(secret, taken);
  const fresh = source.kind === "new" ? source : undefined;
  const isLogin = place === "user" || place === "password";
  const saved = fresh === undefined ? undefined : savedCredential(secret, credentials, host);
  const select = (choice: string) => {
    if (choice === "new") onSource(id, proposed);
    else if (choice === "input") onSource(id, { kind: "input" });
    else onSource(id, { kind: "existing", name: choice.slice(1) });
  };
  return (
    <li className="grid min-w-0 gap-3 py-3 first:pt-0">
      <p className="text-sm font-medium wrap-anywhere">
        {label}
        {value === undefined ? null : (
          <span className="font-normal text-soft">
            {" · "}
            <span className="font-mono text-xs">{prefix}••••••</span>
            {" · "}
            {messages.found(value.length)}
          </span>
        )}
      </p>
      {saved === undefined ? null : (
        <div className="ui-note flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0 wrap-anywhere">{messages.saved(saved.name, saved.owner)}</span>
          <Button isSmall onPress={() => select(`=${saved.name}`)}>
            {messages.chooseSaved(saved.name)}
          </Button>
        </div>
      )}
      <div className="grid min-w-0 gap-3 sm:grid-cols-2">
        <SelectField
          label={messages.use}
          value={source.kind === "existing" ? `=${source.name}` : source.kind}
          choices={[
            {
              id: "new",
              label: messages.create((fresh ?? proposed).name),
              hint: messages.createHint,
            },
            ...fittingCredentials(credentials, host).map((one) => ({
              id: `=${one.name}`,
              label: one.name,
              hint: messages.existingHint(one.hosts, value !== undefined),
            })),
            ...(isLogin ? [] : [{ id: "input", label: messages.input, hint: messages.inputHint }]),
          ]}
          onChange={select}
        />
        {fresh === undefined ? null : (
          <NewCredential
            source={fresh}
            problem={problemOf(fresh, taken)}
            isValueKnown={value !== undefined}
            onChange={(part) => onSource(id, { ...fresh, ...part })}
          />
        )}
      </div>
    </li>
  );
}

function NewCredential({
  source,
  problem,
  isValueKnown,
  onChange,
}: {
  source: NewSource;
  problem: ReturnType<typeof problemOf>;
  isValueKnown: boolean;
  onChange: (part: { name?: string; value?: string }) => void;
}): ReactNode {
  return (
    <>
      <TextField
        label={messages.name}
        isCode
        isRequired
        spellCheck="false"
        value={source.name}
        onChange={(name) => onChange({ name: name.toUpperCase().replace(/[^A-Z0-9_]/g, "_") })}
        error={
          problem === "name"
            ? messages.badName
            : problem === "taken"
              ? messages.taken
              : problem === "value" && isValueKnown
                ? messages.tooShort
                : undefined
        }
      />
      {isValueKnown ? null : (
        <TextField
          label={messages.value}
          hint={messages.valueHint}
          type="password"
          isCode
          autoComplete="off"
          spellCheck="false"
          className="sm:col-span-2"
          value={source.value}
          onChange={(value) => onChange({ value })}
          error={problem === "value" ? messages.tooShort : undefined}
        />
      )}
    </>
  );
}
