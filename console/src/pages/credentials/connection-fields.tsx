import type { ReactNode } from "react";
import { fieldError } from "#api/field-errors";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import type { CredentialForm } from "./credential-form.ts";

type Props = {
  form: CredentialForm;
  change: (part: Partial<CredentialForm>) => void;
  error: unknown;
};

/** What the service needs to get tokens of somebody else's authorization server. */
export function ConnectionFields({ form, change, error }: Props): ReactNode {
  const isByPerson = form.grantType === "authorization_code";
  return (
    <>
      <SelectField
        label="Who agrees"
        choices={[
          { id: "authorization_code", label: "I do, in a browser" },
          { id: "client_credentials", label: "Nobody: the client acts for itself" },
        ]}
        value={form.grantType}
        onChange={(grantType) => change({ grantType })}
      />
      <Endpoints form={form} change={change} error={error} />
      <TextField
        label="Client id"
        hint={
          isByPerson
            ? `Register a client at the provider, with the redirect address ${location.origin}/oauth2/callback.`
            : "Of the client that you registered at the provider."
        }
        isCode
        value={form.clientId}
        onChange={(clientId) => change({ clientId })}
        error={fieldError(error, "/oauth2/clientId")}
      />
      <TextField
        label={isByPerson ? "Client secret, if it has one" : "Client secret"}
        type="password"
        autoComplete="off"
        isCode
        value={form.clientSecret}
        onChange={(clientSecret) => change({ clientSecret })}
        error={fieldError(error, "/oauth2/clientSecret")}
      />
      <TextField
        label="Scopes"
        hint="Separated by spaces. The fewer, the better."
        isCode
        value={form.scopes}
        onChange={(scopes) => change({ scopes })}
        error={fieldError(error, "/oauth2/scopes")}
      />
      <More form={form} change={change} error={error} />
    </>
  );
}

function Endpoints({ form, change, error }: Props): ReactNode {
  return (
    <>
      <SelectField
        label="Where the provider is"
        choices={[
          { id: "issuer", label: "It has an issuer, which names its addresses" },
          { id: "addresses", label: "I know its addresses" },
        ]}
        value={form.endpoints}
        onChange={(endpoints) => change({ endpoints })}
      />
      {form.endpoints === "issuer" ? (
        <Address
          label="Issuer"
          field="issuer"
          placeholder="https://accounts.google.com"
          {...{ form, change, error }}
        />
      ) : (
        <>
          {form.grantType === "authorization_code" ? (
            <Address
              label="Authorization address"
              field="authorizationUrl"
              {...{ form, change, error }}
            />
          ) : null}
          <Address label="Token address" field="tokenUrl" {...{ form, change, error }} />
          <Address
            label="Revocation address, if there is one"
            field="revocationUrl"
            {...{ form, change, error }}
          />
        </>
      )}
    </>
  );
}

function Address({
  label,
  field,
  placeholder = "https://",
  form,
  change,
  error,
}: Props & {
  label: string;
  field: "issuer" | "authorizationUrl" | "tokenUrl" | "revocationUrl" | "resource";
  placeholder?: string;
}): ReactNode {
  return (
    <TextField
      label={label}
      type="url"
      inputMode="url"
      isCode
      placeholder={placeholder}
      value={form[field]}
      onChange={(text) => change({ [field]: text })}
      error={fieldError(error, `/oauth2/${field}`)}
    />
  );
}

/** What few providers want. */
function More({ form, change, error }: Props): ReactNode {
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer text-sm font-medium">What few providers want</summary>
      <div className="mt-3 grid gap-4">
        <SelectField
          label="How the client names itself"
          choices={[
            { id: "automatic", label: "As the provider prefers" },
            { id: "client_secret_basic", label: "In the header (client_secret_basic)" },
            { id: "client_secret_post", label: "In the body (client_secret_post)" },
            { id: "none", label: "Without a secret (none)" },
          ]}
          value={form.authMethod}
          onChange={(authMethod) => change({ authMethod })}
        />
        <TextField
          label="Audience"
          isCode
          value={form.audience}
          onChange={(audience) => change({ audience })}
          error={fieldError(error, "/oauth2/audience")}
        />
        <Address label="Resource" field="resource" {...{ form, change, error }} />
        {form.grantType === "authorization_code" ? (
          <TextField
            label="More parameters"
            hint="One name=value a line, such as access_type=offline."
            isCode
            rows={2}
            value={form.parameters}
            onChange={(parameters) => change({ parameters })}
            error={fieldError(error, "/oauth2/authorizationParameters")}
          />
        ) : null}
      </div>
    </details>
  );
}
