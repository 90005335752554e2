import { createToolInput, credentialName } from "@toolhost/contract";
import type { CreateToolInput } from "@toolhost/contract";
import { describeInvisible } from "#lib/invisible";
import { OpenApiError } from "./errors.ts";
import { omitCredentialFields } from "./omit-credential-fields.ts";
import type { OperationPlan } from "./plan.ts";
import { chooseServer } from "./plan-servers.ts";
import { renderCode } from "./render-code.ts";
import type { Authentication } from "./render-code.ts";
import { toLine } from "./text.ts";
import type { GeneratedTool, GenerateOptions, SecurityScheme } from "./types.ts";
import { hashOf } from "./read-document.ts";

const timeoutMs = 60_000;

/** The tool of a plan. Throws `OpenApiError` if it has no server or an option is not valid. */
export function makeTool(planned: OperationPlan, options: GenerateOptions): GeneratedTool {
  const plan = omitCredentialFields(planned, options.authentication ?? []);
  const server = chooseServer({ own: plan.ownServers, all: plan.servers }, options);
  const declared = chooseSchemes(plan, options);
  const { schemes, notes } =
    options.authentication === undefined ? declared : { schemes: [], notes: [] };
  const authentication = options.authentication ?? schemes;
  const definition = toDefinition(plan, {
    code: renderCode(plan, { base: server.base, authentication }),
    host: server.host,
    credentials: credentialsOf(authentication, schemes),
  });
  const { key, pagination } = plan;
  return {
    key,
    definition,
    notes: [...plan.notes, ...server.notes, ...notes, ...noteInvisible(definition)],
    ...(pagination === undefined
      ? {}
      : {
          pagination: {
            kind: pagination.kind,
            input: pagination.input,
            ...(pagination.output === undefined ? {} : { output: pagination.output }),
          },
        }),
    hash: hashOf(planned),
  };
}

export function noteInvisible({ inputSchema, outputSchema, examples }: CreateToolInput): string[] {
  const places = describeInvisible({ inputSchema, outputSchema, examples });
  if (places === undefined) return [];
  return [`The tool contains invisible characters in ${places}. Read it with care.`];
}

type Parts = { code: string; host: string; credentials: { name: string; description: string }[] };

/** The definition of a plan with its code. */
export function toDefinition(
  plan: OperationPlan,
  { code, host, credentials }: Parts,
): CreateToolInput {
  const { method, output, pagination, example, fields } = plan;
  const next =
    pagination?.output === undefined
      ? []
      : [
          {
            name: pagination.output,
            description: `Set "${pagination.input}" to this value to get the next page. Missing on the last page.`,
          },
        ];
  // Types are not checked, because a run must not lose the answer of an API that differs from its document.
  const properties = [
    ...output.properties.filter(({ name }) => name !== pagination?.output),
    ...next,
  ].map((property) => ({ type: "any" as const, ...property, optional: true, lenient: true }));
  return createToolInput.parse({
    title: plan.title,
    description: plan.description,
    inputSchema: plan.inputSchema,
    outputSchema: { properties },
    fileFields: fields
      .filter(({ place }) => place === "file" || place === "files")
      .map(({ name }) => name),
    source: { language: "typescript", code },
    credentials: credentials.map((credential) => ({ ...credential, hosts: [host] })),
    allowedHosts: [host],
    timeoutMs,
    idempotent: method === "GET" || method === "HEAD" || method === "PUT",
    confirm: plan.needsConfirmation,
    examples: example === undefined ? [] : [{ input: example }],
  });
}

/**
 * The largest alternative whose credentials the caller has all named, or the first that tools support. An operation that also
 * works without credentials gets none unless they are named.
 */
function chooseSchemes(
  { alternatives }: OperationPlan,
  { credentialNames = {} }: GenerateOptions,
): { schemes: SecurityScheme[]; notes: string[] } {
  const [named] = alternatives
    .filter(
      (schemes) =>
        schemes.length > 0 && schemes.every(({ name }) => Object.hasOwn(credentialNames, name)),
    )
    .toSorted((a, b) => b.length - a.length);
  const isOptional = alternatives.some((schemes) => schemes.length === 0);
  const first = isOptional ? [] : (alternatives[0] ?? []);
  const chosen = named ?? first;
  const unsupported = chosen.filter(({ kind }) => kind === "unsupported");
  const notes = [
    ...unsupported.map(
      ({ name }) =>
        `Its authentication "${toLine(name, 60)}" is not supported. Add it to the code.`,
    ),
    ...(isOptional && named === undefined && alternatives.length > 1
      ? [
          "Credentials are optional for this operation, so the tool sends none. Choose some to send them.",
        ]
      : []),
  ];
  const schemes = chosen
    .filter(({ kind }) => kind !== "unsupported")
    .map((scheme) => ({
      ...scheme,
      credentialNames: namesFor(scheme, own(credentialNames, scheme.name)),
    }));
  return { schemes, notes };
}

function own(names: Readonly<Record<string, readonly string[]>>, name: string) {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

function namesFor(
  { name, credentialNames }: SecurityScheme,
  given: readonly string[] | undefined,
): string[] {
  const names = [...(given ?? credentialNames)];
  const isValid = names.every((one) => credentialName.safeParse(one).success);
  if (isValid && names.length === credentialNames.length) return names;
  throw new OpenApiError(
    "invalid_options",
    `The security scheme "${toLine(name, 60)}" needs ${credentialNames.length} credential names such as "${credentialNames[0] ?? ""}".`,
  );
}

const purposes: Readonly<Record<SecurityScheme["kind"], readonly string[]>> = {
  api_key: ["API key."],
  bearer: ["Access token."],
  oauth2: ["OAuth 2 access token."],
  basic: ["User name.", "Password."],
  unsupported: [],
};

function credentialsOf(
  authentication: readonly Authentication[],
  schemes: readonly SecurityScheme[],
): Parts["credentials"] {
  const all = authentication.flatMap(({ kind, credentialNames }, at) =>
    credentialNames.map((name, index) => {
      const { description = "", hint = "" } = schemes[at] ?? {};
      const texts = [purposes[kind][index] ?? "", hint, description];
      return { name, description: texts.filter((text) => text !== "").join(" ") };
    }),
  );
  // Two schemes may share a credential.
  return [...new Map(all.map((credential) => [credential.name, credential])).values()];
}
