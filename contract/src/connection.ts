import { z } from "zod";

/** Shorter values occur in ordinary texts by chance. */
export const minSecretLength = 4;
export const tooShort =
  "must have at least 4 characters, because shorter values could not be redacted from results and logs";

/** How a connection gets its tokens: with the client's own credentials, or with a person's consent in a browser. */
const grantTypes = ["client_credentials", "authorization_code"] as const;

/** How the client authenticates at the token endpoint (RFC 7591, section 2). */
const authMethods = ["client_secret_basic", "client_secret_post", "none"] as const;

/** Parameters of an authorization request that only the service may set. */
const ownParameters =
  /^(?:client_id|client_secret|redirect_uri|response_(?:type|mode)|state|scope|code_challenge(?:_method)?|resource|audience|request(?:_uri)?|nonce)$/;

/** An HTTP or HTTPS URL of another service. */
export const webAddress = z
  .url({
    protocol: /^https?$/,
    error: "must be an HTTP or HTTPS URL",
    abort: true,
  })
  .max(2_000)
  .refine((text) => {
    const url = new URL(text);
    return url.hash === "" && url.username === "" && url.password === "";
  }, "must not contain a user or a fragment");

/** Text that RFC 6749, appendix A, allows. */
const visible = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const scopeToken = z
  .string()
  .max(200)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a scope (RFC 6749, section 3.3)");

/** `oauth2` in the body of `POST /credentials`: a client of an external authorization server. */
export const createConnectionInput = z
  .strictObject({
    grantType: z.enum(grantTypes).default("authorization_code"),
    resource: webAddress.optional().meta({
      description:
        "The API that the tokens are for (RFC 8707), such as the URL of an MCP server. Without `issuer` and `tokenUrl`, its metadata (RFC 9728) names the issuer.",
    }),
    issuer: webAddress.optional().meta({
      description: "The issuer, whose metadata (RFC 8414) contains the endpoints.",
    }),
    authorizationUrl: webAddress.optional(),
    tokenUrl: webAddress.optional(),
    revocationUrl: webAddress
      .optional()
      .meta({ description: "Called when the credential is deleted." }),
    clientId: visible(500).optional().meta({
      description:
        "Required with `tokenUrl` and for client credentials. Otherwise, the service registers a client if the provider allows it: with its client ID metadata document, or dynamically (RFC 7591).",
    }),
    clientSecret: visible(4_000).min(minSecretLength, tooShort).optional(),
    scopes: z.array(scopeToken).max(100).default([]),
    audience: visible(2_000).optional(),
    tokenEndpointAuthMethod: z.enum(authMethods).optional(),
    authorizationParameters: z
      .record(z.string().max(100), visible(1_000))
      .refine((given) => Object.keys(given).length <= 20, "must have at most 20 parameters")
      .refine((given) => !Object.keys(given).some((name) => ownParameters.test(name)), {
        error: "must not contain parameters that the service sets",
      })
      .default({})
      .meta({
        description:
          'Additional parameters of the authorization request, such as `{"access_type":"offline"}`.',
      }),
  })
  .check(({ value, issues }) => {
    const complain = (name: string, message: string) =>
      issues.push({ code: "custom", path: [name], message, input: undefined });
    const isByPerson = value.grantType === "authorization_code";
    const { tokenUrl, authorizationUrl, issuer, resource, clientId } = value;
    const hasUrls = tokenUrl !== undefined || authorizationUrl !== undefined;
    if (issuer !== undefined) {
      if (hasUrls) complain("issuer", "cannot be combined with endpoint URLs");
    } else if (resource === undefined || hasUrls) {
      if (tokenUrl === undefined) complain("tokenUrl", "is required without an issuer");
      if (isByPerson && authorizationUrl === undefined) {
        complain("authorizationUrl", "is required without an issuer");
      }
    }
    const { clientSecret: secret, tokenEndpointAuthMethod: method } = value;
    if (clientId === undefined) {
      if (hasUrls || !isByPerson) complain("clientId", "is required");
      if (secret !== undefined) complain("clientId", "is required with a client secret");
    }
    if (secret === undefined && (!isByPerson || (method !== undefined && method !== "none"))) {
      complain("clientSecret", "is required for this grant type or authentication method");
    }
    if (secret !== undefined && method === "none") {
      complain("clientSecret", 'must be omitted with the tokenEndpointAuthMethod "none"');
    }
  })
  .meta({ id: "CreateConnectionInput" });
export type CreateConnectionInput = z.infer<typeof createConnectionInput>;

/** Whether a credential can be used, or a person must consent at the provider first, or again. */
export const connectionStatuses = ["ready", "awaiting_consent", "needs_reconnect"] as const;
