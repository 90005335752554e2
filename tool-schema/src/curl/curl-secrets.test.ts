import { describe, expect, it } from "vitest";
import { findFields, findSecrets, readCurl, titleOf, toRequest } from "./index.ts";

const secret = "S3cr3tV4lue99";

function draftOf(options: string, path = "/x") {
  const request = readCurl(`curl 'https://api.example.com${path}' ${options}`);
  const secrets = findSecrets(request);
  const found = findFields(request, secrets);
  const inputs = new Map(found.fields.map(({ id }) => [id, false]));
  const title = titleOf(request, found);
  const draft = toRequest(request, secrets, found, { title, inputs });
  return { secrets, draft: JSON.stringify(draft), fields: draft.fields };
}

describe("the draft of a command", () => {
  it.each([
    `-d 'user[password]=${secret}'`,
    `-d 'login.password=${secret}'`,
    `--json '{"password1":"${secret}"}'`,
    `--json '{"passwordConfirmation":"${secret}"}'`,
    `--json '{"client_secret_value":"${secret}"}'`,
    `--json '{"password":["${secret}"]}'`,
    `--json '{"password":{"value":"${secret}"}}'`,
    `--json '[{"password":{"value":["${secret}"]}}]'`,
    `--json '{"tokens":["${secret}"]}'`,
    `--json '{"key":"DB_PASSWORD","value":"${secret}"}'`,
    `--json '{"env":[{"name":"DB_PASSWORD","value":"${secret}"}]}'`,
    `--json '{"Authorization Header":"Bearer ${secret}"}'`,
    `--json '{"h":"Bearer ${secret}"}'`,
    `--json '{"list":["Bearer ${secret}"]}'`,
    `--json '{"body":"{\\"password\\":\\"${secret}\\"}"}'`,
    `--json '{"url":"https://b.example/?token=${secret}"}'`,
    `--json '{"callback":"https://u:${secret}@b.example/"}'`,
    `-G -d 'redirect=https%3A%2F%2Fb.example%2F%3Ftoken%3D${secret}'`,
    `-H 'X-Custom: Bearer ${secret}'`,
    `-H 'X-Custom: Token ${secret}'`,
    `-H 'X-Api-Key-Id: ${secret}'`,
    `-H 'content-type: text/yaml' --data-raw 'user: a\n  password: ${secret}'`,
    `-H 'content-type: text/plain' -d password=${secret}`,
    `-H 'content-type: text/xml' --data-raw '<login password="${secret}"/>'`,
    `-H 'content-type: application/json' --data-raw '{"password":"${secret}"'`,
    `-d 'grant_type=authorization_code&code=${secret}&client_id=a'`,
    `-d 'name=DB_PASSWORD&value=${secret}'`,
    `-F 'meta={"password":"${secret}"}'`,
  ])("contains no secret of %s", (options) => {
    const { draft } = draftOf(options);
    expect(draft).not.toContain(secret);
  });

  it.each([
    [`/token/${secret}`, ""],
    [`/reset_token/${secret}/confirm`, ""],
    [`/password=${secret}`, "password="],
    [`/x;jsessionid=${secret}`, "x;jsessionid="],
  ])("contains no secret of the path %s", (path, prefix) => {
    const { secrets, draft } = draftOf("", path);
    expect(secrets).toMatchObject([{ place: "path", prefix, value: secret }]);
    expect(draft).not.toContain(secret);
  });

  it.each(["/token/refresh", "/tokens/a1b2c3d4e5", "/auth/oauth2callback", "/token/v2beta01"])(
    "takes no secret from the path %s",
    (path) => expect(draftOf("", path).secrets).toEqual([]),
  );

  it("keeps the text before a secret of any header or field", () => {
    const { secrets } = draftOf(
      ` -H 'X-Custom: Bearer ${secret}' --json '{"h":"Bearer ${secret}"}'`,
    );
    expect(secrets.map(({ prefix, value }) => [prefix, value])).toEqual([
      ["Bearer ", secret],
      ["Bearer ", secret],
    ]);
  });

  it("has an input without a value for a number that is a secret", () => {
    const { fields } = draftOf(`--json '{"pin":12345678,"max_tokens":100}'`);
    expect(fields).toEqual([
      { from: "input", in: "body", name: "pin", sample: 0 },
      { from: "fixed", in: "body", name: "max_tokens", value: 100 },
    ]);
  });

  it("keeps values with names that resemble those of secrets", () => {
    const body = { max_tokens: 5, page_token: "abc", keyword: "x", author: "Ada", pinned: "yes" };
    const { secrets, fields } = draftOf(`--json '${JSON.stringify(body)}'`);
    expect(secrets).toEqual([]);
    expect(fields.map((field) => "value" in field && field.value)).toEqual(Object.values(body));
  });
});
