import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { hostToAllow } from "#lib/allowed-hosts";
import { CredentialField } from "../imports/credential-field.tsx";
import { itemMessages } from "./messages.ts";
import { SchemeFields } from "./scheme-fields.tsx";
import { otherSignIn, withSchemes } from "./sign-in.ts";
import type { SignIn, SignInGroup } from "./sign-in.ts";

const messages = itemMessages.create.signIn;
const otherWays = ["none", "bearer", "header", "query", "basic"] as const;

type Props = {
  group: SignInGroup;
  /** Whether other items authenticate otherwise. */
  isOne: boolean;
  schemes: ImportResource["securitySchemes"];
  /** The OAuth scopes that the selected items need, by scheme. */
  scopes: Readonly<Record<string, readonly string[]>>;
  /** Credentials that a group above shows already. */
  shownBefore: ReadonlySet<string>;
  /** The base URL of the API; undefined while it is unknown. */
  url: string | undefined;
  signIn: SignIn;
  onChange: (signIn: SignIn) => void;
};

/** Chooses how the tools of a group authenticate, and with which credentials. */
export function SignInFields(props: Props): ReactNode {
  const { group, isOne, schemes, scopes, shownBefore, url, signIn, onChange } = props;
  const { security, items } = group;
  const alternatives = security.filter((names) => names.length > 0);
  const chosen =
    signIn.way === "schemes"
      ? String(alternatives.findIndex((names) => names.join("\n") === signIn.names.join("\n")))
      : signIn.way;
  const host = url === undefined ? undefined : hostToAllow(url);
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <legend className="mb-2 text-sm font-semibold">
        {isOne ? messages.title : messages.titleOf(items.length, items[0]?.title ?? "")}
      </legend>
      <SelectField
        label={messages.label}
        value={chosen}
        choices={[
          ...alternatives.map((names, index) => ({
            id: String(index),
            label: messages.declared(names),
          })),
          ...otherWays.map((way) => ({ id: way, label: messages.ways[way] })),
        ]}
        onChange={(id) => {
          const way = otherWays.find((one) => one === id);
          onChange(
            way === undefined
              ? withSchemes(alternatives[Number(id)] ?? [], schemes)
              : otherSignIn(way, url),
          );
        }}
      />
      {signIn.way === "schemes" ? (
        <SchemeFields
          schemes={schemes.filter(({ name }) => signIn.names.includes(name))}
          scopes={scopes}
          shownBefore={shownBefore}
          host={host}
          credentials={signIn.credentials}
          onChange={(credentials) => onChange({ ...signIn, credentials })}
        />
      ) : (
        <OtherFields {...{ signIn, shownBefore, host, onChange }} />
      )}
    </fieldset>
  );
}

function OtherFields({
  signIn,
  shownBefore,
  host,
  onChange,
}: {
  signIn: Exclude<SignIn, { way: "schemes" }>;
  shownBefore: ReadonlySet<string>;
  host: string | undefined;
  onChange: (signIn: SignIn) => void;
}): ReactNode {
  const credential = (label: string, value: string, change: (name: string) => void) => (
    <CredentialField
      label={label}
      value={value}
      suggested={value}
      isShownBefore={shownBefore.has(value)}
      host={host}
      start={{ name: value, hosts: host ?? "" }}
      onChange={(name) => change(name ?? value)}
    />
  );
  switch (signIn.way) {
    case "none":
      return null;
    case "bearer":
      return credential(messages.token, signIn.credential, (name) =>
        onChange({ ...signIn, credential: name }),
      );
    case "basic":
      return (
        <>
          {credential(messages.user, signIn.user, (user) => onChange({ ...signIn, user }))}
          {credential(messages.password, signIn.password, (password) =>
            onChange({ ...signIn, password }),
          )}
        </>
      );
    default:
      return (
        <>
          <TextField
            label={messages.names[signIn.way]}
            isCode
            isRequired
            value={signIn.name}
            onChange={(name) => onChange({ ...signIn, name })}
          />
          {credential(messages.key, signIn.credential, (name) =>
            onChange({ ...signIn, credential: name }),
          )}
        </>
      );
  }
}
