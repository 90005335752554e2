import type { ImportAuthentication, ImportResource } from "@toolhost/contract";
import { usageError } from "../terminal/cli-error.ts";
import type { CliError } from "../terminal/cli-error.ts";
import { parseCredentials } from "./parse-credentials.ts";

/** How tools authenticate: with credentials of the document's security schemes, or in another way. */
export type SignIn = {
  credentials: Record<string, string[]>;
  authentication?: ImportAuthentication;
};

type Flags = { auth?: string; credential?: readonly string[] };

/** The values of `--auth`. */
const authForms = "none, bearer, basic, header:NAME or query:NAME";

/** Reads `--auth` and `--credential`. Without `--auth`, credentials are those of the document's security schemes. */
export function parseSignIn(
  found: Pick<ImportResource, "kind" | "securitySchemes">,
  { auth, credential = [] }: Flags,
): SignIn {
  if (found.kind === "mcp") {
    if (auth === undefined) return { credentials: {} };
    throw usageError("--auth is for OpenAPI documents. An MCP server gets --credential NAME.");
  }
  if (auth !== undefined)
    return { credentials: {}, authentication: parseAuthentication(auth, credential) };
  if (credential.length > 0 && found.securitySchemes.length === 0) {
    throw usageError(
      "The document declares no security schemes, so state with --auth how the credential is sent.",
      "--auth bearer --credential NAME",
      "--auth header:X-API-Key --credential NAME   (or query:NAME)",
      "--auth basic --credential USER_NAME,PASSWORD",
    );
  }
  return { credentials: parseCredentials(found, credential) };
}

function parseAuthentication(auth: string, credential: readonly string[]): ImportAuthentication {
  const [kind = "", ...rest] = auth.split(":");
  const name = rest.join(":");
  const names = credential.flatMap((one) => one.split(","));
  const [first = "", second = ""] = names;
  if (kind === "none" && name === "") {
    if (names.length > 0) throw usageError("--auth none sends no --credential.");
    return { kind: "none" };
  }
  if (kind === "basic" && name === "") {
    if (names.length !== 2) throw needs(auth, "USER_NAME,PASSWORD");
    return { kind: "basic", userCredential: first, passwordCredential: second };
  }
  const isKey = (kind === "header" || kind === "query") && name !== "";
  if (!isKey && (kind !== "bearer" || name !== "")) {
    throw usageError(`"${auth}" is no way to authenticate. Use ${authForms}.`);
  }
  if (names.length !== 1 || first === "") throw needs(auth, "NAME");
  return isKey
    ? { kind: "api_key", in: kind, name, credential: first }
    : { kind: "bearer", credential: first };
}

function needs(auth: string, names: string): CliError {
  return usageError(
    `--auth ${auth} needs the names of its credentials.`,
    `--auth ${auth} --credential ${names}`,
  );
}
