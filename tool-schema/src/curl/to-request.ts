import type { CurlRequest, RequestBody } from "./curl-request.ts";
import { isChosen, urlOf } from "./find-fields.ts";
import type { FoundFields, InputChoices } from "./find-fields.ts";
import type { Secret } from "./find-secrets.ts";
import type { RequestField } from "./request-field.ts";
import type { DraftField, LoginPart, RequestDraft } from "./request-draft.ts";

/** What becomes of a secret: a credential of this name, or an input of the tool. A login is always a credential. */
export type SecretChoice = { credential: string } | "input";

export type Choices = {
  title: string;
  /** By the ID of the secret. Each is a credential of its proposed name unless stated otherwise. */
  secrets?: ReadonlyMap<string, SecretChoice> | undefined;
  inputs?: InputChoices | undefined;
};

/** The body of `POST /drafts/from-request`. Contains no value of a secret. */
export function toRequest(
  request: CurlRequest,
  secrets: readonly Secret[],
  found: FoundFields,
  choices: Choices,
): RequestDraft {
  const { origin, fields } = found;
  const accept = acceptOf(request);
  return {
    title: choices.title,
    method: request.method,
    server: origin,
    path: urlOf(found, choices.inputs).slice(origin.length) || "/",
    body: bodyOf(request.body),
    ...(accept === undefined ? {} : { accept }),
    fields: [
      ...loginOf(request, secrets, choices),
      ...secrets.flatMap((secret) => secretField(secret, choices)),
      ...fields.flatMap((field) => toField(field, choices)),
    ],
  };
}

function choiceOf({ id, credential }: Secret, { secrets }: Choices): SecretChoice {
  return secrets?.get(id) ?? { credential };
}

function secretField(secret: Secret, choices: Choices): DraftField[] {
  const { place, name, prefix } = secret;
  if (place === "user" || place === "password") return [];
  const choice = choiceOf(secret, choices);
  if (choice === "input") return [{ from: "input", in: place, name }];
  return [{ from: "credential", in: place, name, prefix, ...choice }];
}

/** A user name or password that is no secret is written into the code. */
function loginOf(
  { user }: CurlRequest,
  secrets: readonly Secret[],
  choices: Choices,
): DraftField[] {
  const parts = secrets.filter(({ place }) => place === "user" || place === "password");
  if (parts.length === 0) return [];
  const partOf = (place: "user" | "password"): LoginPart => {
    const secret = parts.find((one) => one.place === place);
    if (secret === undefined)
      return { value: (place === "user" ? user?.name : user?.password) ?? "" };
    const choice = choiceOf(secret, choices);
    return choice === "input" ? { credential: secret.credential } : choice;
  };
  return [{ from: "login", user: partOf("user"), password: partOf("password") }];
}

/** A segment of the path that is no input is in the path as it is. */
function toField(field: RequestField, { inputs }: Choices): DraftField[] {
  const { place, name, sample } = field;
  const isInput = isChosen(field, inputs);
  if (!isInput && place === "path") return [];
  if (isInput || place === "file" || sample === undefined) {
    return [{ from: "input", in: place, name, ...(sample === undefined ? {} : { sample }) }];
  }
  return [{ from: "fixed", in: place, name, value: sample }];
}

/** The first media type that the request accepts; undefined for any. */
function acceptOf({ headers }: CurlRequest): string | undefined {
  const accept = headers.find(({ name }) => name === "accept")?.value ?? "";
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "");
  const chosen = types.find((type) => /json/.test(type)) ?? types[0] ?? "";
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(chosen) ? chosen : undefined;
}

function bodyOf(body: RequestBody): RequestDraft["body"] {
  const mediaType = "mediaType" in body ? body.mediaType.split(";")[0]?.trim() : undefined;
  return { kind: body.kind, ...(mediaType === undefined ? {} : { mediaType }) };
}
