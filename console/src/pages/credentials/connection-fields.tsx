import type { ReactNode } from "react";
import { fieldError } from "#api/field-errors";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import type { CredentialForm } from "./credential-form.ts";
import { messages } from "./messages.ts";

const text = messages.connection;
const authMethods = ["automatic", "client_secret_basic", "client_secret_post", "none"] as const;

type Props = {
  form: CredentialForm;
  change: (part: Partial<CredentialForm>) => void;
  error: unknown;
};

/** The settings of an OAuth 2 client at a provider. */
export function ConnectionFields({ form, change, error }: Props): ReactNode {
  const needsConsent = form.grantType === "authorization_code";
  return (
    <>
      <SelectField
        label={text.grantType}
        choices={[
          { id: "authorization_code", label: text.grantTypes.authorization_code },
          { id: "client_credentials", label: text.grantTypes.client_credentials },
        ]}
        value={form.grantType}
        onChange={(grantType) => change({ grantType })}
      />
      <Endpoints form={form} change={change} error={error} />
      <TextField
        label={text.clientId}
        hint={
          needsConsent ? text.redirectHint(`${location.origin}/oauth2/callback`) : text.clientIdHint
        }
        isCode
        value={form.clientId}
        onChange={(clientId) => change({ clientId })}
        error={fieldError(error, "/oauth2/clientId")}
      />
      <TextField
        label={needsConsent ? text.optionalClientSecret : text.clientSecret}
        type="password"
        autoComplete="off"
        isCode
        value={form.clientSecret}
        onChange={(clientSecret) => change({ clientSecret })}
        error={fieldError(error, "/oauth2/clientSecret")}
      />
      <TextField
        label={text.scopes}
        hint={text.scopesHint}
        isCode
        value={form.scopes}
        onChange={(scopes) => change({ scopes })}
        error={fieldError(error, "/oauth2/scopes")}
      />
      <AdvancedFields form={form} change={change} error={error} />
    </>
  );
}

function Endpoints({ form, change, error }: Props): ReactNode {
  return (
    <>
      <SelectField
        label={text.endpoints}
        choices={[
          { id: "issuer", label: text.endpointChoices.issuer },
          { id: "addresses", label: text.endpointChoices.addresses },
        ]}
        value={form.endpoints}
        onChange={(endpoints) => change({ endpoints })}
      />
      {form.endpoints === "issuer" ? (
        <UrlField
          label={text.issuer}
          field="issuer"
          placeholder={text.issuerPlaceholder}
          {...{ form, change, error }}
        />
      ) : (
        <>
          {form.grantType === "authorization_code" ? (
            <UrlField
              label={text.authorizationUrl}
              field="authorizationUrl"
              {...{ form, change, error }}
            />
          ) : null}
          <UrlField label={text.tokenUrl} field="tokenUrl" {...{ form, change, error }} />
          <UrlField label={text.revocationUrl} field="revocationUrl" {...{ form, change, error }} />
        </>
      )}
    </>
  );
}

function UrlField({
  label,
  field,
  placeholder = text.urlPlaceholder,
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
      onChange={(url) => change({ [field]: url })}
      error={fieldError(error, `/oauth2/${field}`)}
    />
  );
}

/** Settings that few providers need. */
function AdvancedFields({ form, change, error }: Props): ReactNode {
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer text-sm font-medium">{text.advanced}</summary>
      <div className="mt-3 grid gap-4">
        <SelectField
          label={text.authMethod}
          choices={authMethods.map((id) => ({ id, label: text.authMethods[id] }))}
          value={form.authMethod}
          onChange={(authMethod) => change({ authMethod })}
        />
        <TextField
          label={text.audience}
          isCode
          value={form.audience}
          onChange={(audience) => change({ audience })}
          error={fieldError(error, "/oauth2/audience")}
        />
        <UrlField label={text.resource} field="resource" {...{ form, change, error }} />
        {form.grantType === "authorization_code" ? (
          <TextField
            label={text.parameters}
            hint={text.parametersHint}
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
