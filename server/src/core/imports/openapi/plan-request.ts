import type { CreateDraftFromRequestInput } from "@toolhost/contract";
import { humanizeKey } from "@toolhost/tool-schema";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName } from "@toolhost/tool-schema/secrets";
import { buildInput } from "./build-input.ts";
import { OpenApiError } from "./errors.ts";
import { exampleInput } from "./examples.ts";
import { inferField } from "./infer-schema.ts";
import { isUsablePath } from "./list-operations.ts";
import { noteInvisible, toDefinition } from "./make-definition.ts";
import { nameFields } from "./name-fields.ts";
import { openDocument } from "./open-document.ts";
import type { BodyKind, Field, OperationPlan, Place } from "./plan.ts";
import { answerOf, planOutput } from "./plan-output.ts";
import { serializationOf } from "./plan-parameters.ts";
import { chooseServer } from "./plan-servers.ts";
import { renderCode } from "./render-code.ts";
import { toLiteral } from "./render-literal.ts";
import { toLine } from "./text.ts";
import type { RequestTool } from "./types.ts";
import { inputOf } from "./writer.ts";

type RequestField = CreateDraftFromRequestInput["fields"][number];

const about = `/**
 * Sends one request to an HTTP API. Generated from an example of the request: change it like any other tool.
 */`;

/** Makes a tool that sends a request like the given one. Throws `OpenApiError`. */
export function makeRequestTool(request: CreateDraftFromRequestInput): RequestTool {
  const { server, fields } = request;
  const target = chooseServer(
    { own: undefined, all: [{ url: server, description: "", variables: [] }] },
    {},
  );
  const plan = planRequest(request, target.host);
  const definition = toDefinition(plan, {
    code: renderCode(plan, { base: target.base, authentication: [], about }),
    host: target.host,
    credentials: credentialsOf(fields),
  });
  return { definition, notes: [...plan.notes, ...noteInvisible(definition)] };
}

function planRequest(request: CreateDraftFromRequestInput, host: string): OperationPlan {
  const { method, path, title, body, accept = "application/json" } = request;
  checkPath(request);
  const document = openDocument({ root: {}, format: "openapi-3.1" });
  const key = `${method} ${path}`;
  const named = nameFields(request.fields.map((field) => planField(field, body.kind)));
  const fields = shareInputs(named).map(titleRenamed);
  const inputs = fields.filter(({ value }) => value === undefined);
  const input = buildInput(document, inputs);
  const answer = answerOf(document, responsesOf(accept));
  return {
    key,
    operationId: undefined,
    method,
    path,
    title: toLine(title, 80) || toLine(key, 80),
    description: `Sends ${toLine(key, 300)} to ${host}.`,
    tags: [],
    isDeprecated: false,
    ownServers: undefined,
    servers: [],
    alternatives: [],
    fields,
    body: {
      kind: bodyKinds[body.kind],
      mediaType: body.mediaType ?? usualTypes[body.kind],
      isRequired: true,
      fields: [],
      notes: [],
    },
    inputSchema: input.schema,
    output: planOutput(document, answer),
    pagination: undefined,
    needsConfirmation: method === "DELETE",
    example: exampleInput(document, inputs),
    notes: input.notes,
  };
}

const bodyKinds: Readonly<Record<CreateDraftFromRequestInput["body"]["kind"], BodyKind>> = {
  none: "none",
  json: "json",
  form: "form",
  multipart: "multipart",
  text: "text",
  file: "binary",
};

const usualTypes: Readonly<Record<CreateDraftFromRequestInput["body"]["kind"], string>> = {
  none: "",
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: "text/plain",
  file: "application/octet-stream",
};

function checkPath({ path, fields }: CreateDraftFromRequestInput): void {
  const named = fields.flatMap((field) => ("in" in field && field.in === "path" ? field.name : []));
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const isComplete =
    named.every((name) => inPath.includes(name)) && inPath.every((name) => named.includes(name));
  if (isComplete && isUsablePath(path) && !path.includes("?")) return;
  throw new OpenApiError(
    "invalid_options",
    "The path is not valid, or its placeholders are not the fields in the path.",
  );
}

function responsesOf(accept: string): JsonObject {
  return { responses: { 200: { content: { [accept]: { schema: {} } } } } };
}

function planField(field: RequestField, kind: keyof typeof bodyKinds): Field {
  if (field.from === "login") {
    const pair = `${loginOf(field.user)}, ${loginOf(field.password)}`;
    return fieldAt("header", "authorization", { value: `ctx.authorization.basic(${pair})` });
  }
  const { name, in: place } = field;
  if (field.from === "credential") {
    return fieldAt(place, name, { value: secretOf(field) });
  }
  if (field.from === "fixed") {
    const value = place === "header" ? toText(field.value) : field.value;
    return fieldAt(place, name, { value: toLiteral(value) });
  }
  const { sample } = field;
  const isFile = place === "file";
  const isForm = kind !== "json" && typeof sample === "object" && !Array.isArray(sample);
  return {
    ...fieldAt(place, name === "" ? "body" : name, {}),
    wireName: name,
    schema: sample === undefined ? textSchema(name) : inferField(name, sample),
    description: isFile ? "The file to send." : "",
    // Numbers and truth values in a query mostly select pages and options.
    isRequired: place !== "query" || (typeof sample !== "number" && typeof sample !== "boolean"),
    serialization: serializationOf({}, place, isForm && place === "body"),
    example: isFile ? undefined : sample,
  };
}

/** An ID in the path that the body repeats is one input. Header values are encoded, so they stay inputs of their own. */
function shareInputs(fields: readonly Field[]): Field[] {
  const seen = new Map<string, Field>();
  return fields.map((field) => {
    const { wireName, place, value, isRequired, example } = field;
    if (value !== undefined || place === "header" || !isRequired || example === undefined) {
      return field;
    }
    const key = JSON.stringify([wireName, example]);
    const first = seen.get(key);
    if (first !== undefined) return { ...field, value: inputOf(first) };
    seen.set(key, field);
    return field;
  });
}

/** A field whose name another field has already says where it belongs. */
function titleRenamed(field: Field): Field {
  const { name, wireName, place } = field;
  const isRenamed = name === `${wireName}_${place}`;
  return isRenamed ? { ...field, title: `${humanizeKey(wireName)} (${place})` } : field;
}

function textSchema(name: string): JsonObject {
  return { type: "string", ...(isSecretName(name) ? { format: "password" } : {}) };
}

function fieldAt(place: Place, name: string, { value }: { value?: string }): Field {
  return {
    name,
    wireName: name,
    place,
    schema: {},
    description: "",
    isRequired: true,
    serialization: serializationOf({}, place, false),
    example: undefined,
    ...(value === undefined ? {} : { value }),
  };
}

function secretOf({ name, in: place, credential, prefix }: RequestField & { from: "credential" }) {
  const value = credentialOf(credential);
  const isAuthorization = place === "header" && name.toLowerCase() === "authorization";
  if (isAuthorization && /^bearer\s+$/i.test(prefix)) return `ctx.authorization.bearer(${value})`;
  return prefix === "" ? value : `${toLiteral(prefix)} + ${value}`;
}

type LoginPart = (RequestField & { from: "login" })["user"];

function loginOf(part: LoginPart): string {
  return "credential" in part ? credentialOf(part.credential) : toLiteral(part.value);
}

function credentialOf(name: string): string {
  return `ctx.credentials[${toLiteral(name)}]`;
}

function credentialsOf(fields: readonly RequestField[]): { name: string; description: string }[] {
  const all = fields.flatMap((field) => {
    if (field.from === "credential") {
      return [{ name: field.credential, description: describeUse(field) }];
    }
    if (field.from !== "login") return [];
    return [
      ...credentialIn(field.user, "User name."),
      ...credentialIn(field.password, "Password."),
    ];
  });
  return [...new Map(all.map((credential) => [credential.name, credential])).values()];
}

function credentialIn(part: LoginPart, description: string) {
  return "credential" in part ? [{ name: part.credential, description }] : [];
}

function describeUse({ in: place, name, prefix }: RequestField & { from: "credential" }): string {
  if (/^bearer\s+$/i.test(prefix)) return "Access token.";
  return place === "path"
    ? "Part of the URL's path."
    : `Sent as "${toLine(name, 60)}" in the ${place}.`;
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
