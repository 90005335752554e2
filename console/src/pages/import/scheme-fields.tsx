import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CredentialField } from "../imports/credential-field.tsx";
import { startForScheme } from "../imports/credential-start.ts";
import { itemMessages } from "./messages.ts";

const messages = itemMessages.create;

type Scheme = ImportResource["securitySchemes"][number];
type Props = {
  schemes: readonly Scheme[];
  /** The OAuth scopes that the selected items need, by scheme. */
  scopes: Readonly<Record<string, readonly string[]>>;
  /** Credentials that a group above shows already. */
  shownBefore: ReadonlySet<string>;
  host: string | undefined;
  /** Names of credentials by scheme, where they are not the default. */
  credentials: Readonly<Record<string, string[]>>;
  onChange: (credentials: Readonly<Record<string, string[]>>) => void;
};

/** Chooses the credentials of security schemes. */
export function SchemeFields(props: Props): ReactNode {
  const { schemes, scopes, shownBefore, host, credentials, onChange } = props;
  return schemes.map((scheme) => (
    <SchemeField
      key={scheme.name}
      scheme={scheme}
      scopes={scopes[scheme.name]}
      shownBefore={shownBefore}
      host={host}
      names={credentials[scheme.name] ?? scheme.credentialNames}
      onChange={(names) => onChange({ ...credentials, [scheme.name]: names })}
    />
  ));
}

function SchemeField({
  scheme,
  scopes,
  shownBefore,
  host,
  names,
  onChange,
}: {
  scheme: Scheme;
  scopes: readonly string[] | undefined;
  shownBefore: ReadonlySet<string>;
  host: string | undefined;
  names: readonly string[];
  onChange: (names: string[]) => void;
}): ReactNode {
  const { name, kind, credentialNames } = scheme;
  if (kind === "unsupported") {
    return <p className="text-sm wrap-anywhere text-warn">{messages.unsupported(name)}</p>;
  }
  const label = messages.scheme(name, messages.kinds[kind]);
  const labels = names.length === 2 ? [messages.user(label), messages.password(label)] : [label];
  return names.map((chosen, index) => (
    <CredentialField
      // The position says which of the two it is.
      // oxlint-disable-next-line react/no-array-index-key
      key={index}
      label={labels[index] ?? label}
      value={chosen}
      suggested={credentialNames[index]}
      isShownBefore={shownBefore.has(chosen)}
      host={host}
      start={startForScheme(scheme, { name: chosen, host, scopes })}
      onChange={(changed) =>
        onChange(names.map((one, at) => (at === index ? (changed ?? one) : one)))
      }
    />
  ));
}
