import type { ReactNode } from "react";
import { fieldError } from "#api/field-errors";
import { TextField } from "#components/fields";
import { withServer } from "./credential-form.ts";
import type { CredentialForm } from "./credential-form.ts";
import { messages } from "./messages.ts";

const text = messages.server;
const { clientId, optionalClientSecret, scopes } = messages.connection;

type Props = {
  form: CredentialForm;
  change: (part: Partial<CredentialForm>) => void;
  error: unknown;
};

/** The URL of an MCP server at which the user signs in, and a client for providers that register none themselves. */
export function ServerFields({ form, change, error }: Props): ReactNode {
  const clientError = fieldError(error, "/oauth2/clientId");
  const isClientNeeded = clientError !== undefined || form.clientId !== "";
  return (
    <>
      <TextField
        label={text.url}
        hint={text.urlHint}
        type="url"
        inputMode="url"
        isCode
        isRequired
        placeholder={text.urlPlaceholder}
        value={form.resource}
        onChange={(url) => change(withServer(form, url))}
        error={fieldError(error, "/oauth2/resource")}
      />
      <details open={isClientNeeded} className="rounded-lg border border-line p-3">
        <summary className="cursor-pointer text-sm font-medium">{text.client}</summary>
        <div className="mt-3 grid gap-4">
          <TextField
            label={clientId}
            hint={text.clientIdHint(`${location.origin}/oauth2/callback`)}
            isCode
            value={form.clientId}
            onChange={(id) => change({ clientId: id })}
            error={clientError}
          />
          <TextField
            label={optionalClientSecret}
            type="password"
            autoComplete="off"
            isCode
            value={form.clientSecret}
            onChange={(clientSecret) => change({ clientSecret })}
            error={fieldError(error, "/oauth2/clientSecret")}
          />
          <TextField
            label={scopes}
            hint={text.scopesHint}
            isCode
            value={form.scopes}
            onChange={(given) => change({ scopes: given })}
            error={fieldError(error, "/oauth2/scopes")}
          />
        </div>
      </details>
    </>
  );
}
