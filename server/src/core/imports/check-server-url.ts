import { isSecretName } from "@toolhost/tool-schema/secrets";
import { ServiceError } from "#core/kernel";
import { credentialMark } from "./mcp/index.ts";

const secretName =
  /(?:^|[^a-z])(?:key|token|secret|password|pwd|auth|sig(?:nature)?|credential|jwt)s?$/i;
const secretNameInCamelCase = /[a-z\d](?:Key|Token|Secret|Password|Credential)$|apikey$/i;
/** Tokens of OpenID Connect, digits of a hash, and random characters. */
const secretValue = /^eyJ[\w-]+\.|^[\da-f]{32,}$|^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w.~+/=-]{24,}$/;

/**
 * Refuses a secret in the URL of an MCP server: the code of each of its tools contains the URL. Throws `invalid_request`.
 */
export function checkServerUrl(url: string, credential: string | null): void {
  const { search, searchParams, hash } = new URL(url);
  const marks = url.split(credentialMark).length - 1;
  const inQuery = search.split(credentialMark).length - 1;
  if (marks !== inQuery || marks > 1) {
    throw refused("/url", `can contain \`${credentialMark}\` only once, in its query`);
  }
  if (marks > 0 && credential === null) {
    const message = `is required, because the URL contains \`${credentialMark}\``;
    throw refused("/credential", message);
  }
  if (hash !== "") throw refused("/url", "must have no fragment");
  const isSecret = [...searchParams].some(
    ([name, value]) => value !== credentialMark && looksSecret(name, value),
  );
  if (!isSecret) return;
  const message = `seems to contain a secret, which everyone who can read its tools would see. Create a credential with the value and choose it. If the server does not accept it as a bearer token, write \`${credentialMark}\` in its place in the URL`;
  throw refused("/url", message);
}

function looksSecret(name: string, value: string): boolean {
  const isNamed =
    secretName.test(name) || secretNameInCamelCase.test(name) || isSecretName(name, value);
  return isNamed || secretValue.test(value) || secretValue.test(name);
}

function refused(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `Invalid body: \`${path}\` ${message}.`, {
    errors: [{ path, message }],
  });
}
