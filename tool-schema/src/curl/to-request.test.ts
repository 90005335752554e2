import { describe, expect, it } from "vitest";
import { findFields, urlOf } from "./find-fields.ts";
import { findSecrets } from "./find-secrets.ts";
import { readCurl } from "./read-curl.ts";
import { titleOf } from "./title-of.ts";
import { toRequest } from "./to-request.ts";
import type { Choices } from "./to-request.ts";

function read(command: string, choices: Partial<Choices> = {}) {
  const request = readCurl(command);
  const secrets = findSecrets(request);
  const found = findFields(request, secrets);
  const title = titleOf(request, found);
  const url = urlOf(found, choices.inputs);
  return {
    secrets,
    found,
    url,
    title,
    body: toRequest(request, secrets, found, { title, ...choices }),
  };
}

const token = "ghp_123456789012345678901234567890123456";

describe("findSecrets", () => {
  it.each([
    [`-H 'Authorization: Bearer ${token}'`, "header:authorization", "EXAMPLE_TOKEN", token],
    ["-H 'Authorization: Token abcd'", "header:authorization", "EXAMPLE_TOKEN", "abcd"],
    ["-H 'X-Api-Key: k-1234'", "header:x-api-key", "EXAMPLE_API_KEY", "k-1234"],
    [`-H 'X-Custom: ${token}'`, "header:x-custom", "EXAMPLE_TOKEN", token],
    ["-b 'sid=abc; theme=dark'", "header:cookie", "EXAMPLE_COOKIE", "sid=abc; theme=dark"],
    ["-u sk_live_12345678:", "user:authorization", "EXAMPLE_API_KEY", "sk_live_12345678"],
    ["-u ada:s3cret", "password:authorization", "EXAMPLE_PASSWORD", "s3cret"],
    ["-d auth_key=abcd", "body:auth_key", "EXAMPLE_API_KEY", "abcd"],
    [`--json '{"clientSecret":"abcd"}'`, "body:clientSecret", "EXAMPLE_SECRET", "abcd"],
    ["-G -d access_token=abcd", "query:access_token", "EXAMPLE_TOKEN", "abcd"],
    ["-F token=abcd -F file=@x", "body:token", "EXAMPLE_TOKEN", "abcd"],
  ])("finds the secret of %s", (option, id, credential, value) => {
    const { secrets, body } = read(`curl https://api.example.com/x ${option}`);
    expect(secrets).toMatchObject([{ id, credential, value }]);
    expect(JSON.stringify(body)).not.toContain(value);
  });

  it.each(["$TOKEN", "${TOKEN}", "<token>", "YOUR_API_TOKEN", "{{token}}", "xxxx"])(
    "reads no value from the placeholder %s",
    (text) => {
      const { secrets } = read(`curl https://api.example.com/x -H "Authorization: Bearer ${text}"`);
      expect(secrets).toMatchObject([{ id: "header:authorization", value: undefined }]);
    },
  );

  it.each([
    ["https://api.telegram.org/bot123456:AAAbbbCCCdddEEEfff-ggg/sendMessage", "bot"],
    ["https://hooks.slack.com/services/T00000000/B00000000/abcdbcdeijklmnopqrstuvwx", ""],
  ])("finds the secret in the path of %s", (url, prefix) => {
    const { secrets, body } = read(`curl ${url} -d text=hi`);
    expect(secrets).toMatchObject([{ place: "path", prefix }]);
    expect(JSON.stringify(body)).not.toContain(secrets[0]?.value);
    expect(body.path).toContain(`{${secrets[0]?.name}}`);
  });

  it.each(["page_token=abc", "sort_key=name", "keyword=x", "monkey=1", "author=ada"])(
    "finds none in %s",
    (pair) => expect(read(`curl 'https://api.example.com/x?${pair}'`).secrets).toEqual([]),
  );

  it("repeats no word in the name of a credential", () => {
    const { secrets } = read("curl http://10.0.0.1/x -H 'X-Api-Key: abcd'");
    expect(secrets).toMatchObject([{ credential: "API_KEY" }]);
  });

  it("gives each credential a name of its own", () => {
    const { secrets } = read(
      `curl https://api.example.com/x -H 'X-Auth-Token: abcd' -H 'Authorization: Bearer abcde'`,
    );
    expect(secrets.map(({ credential }) => credential)).toEqual([
      "EXAMPLE_TOKEN",
      "EXAMPLE_TOKEN_2",
    ]);
  });
});

describe("findFields", () => {
  it("makes fields of IDs in the path", () => {
    const { found, url, title } = read(
      "curl https://api.example.com/v1/categories/42/boxes/0f8fad5b-d9cb-469f-a165-70867728950e/items.json",
    );
    expect(url).toBe("https://api.example.com/v1/categories/{categoryId}/boxes/{boxId}/items.json");
    expect(found.fields.filter(({ isInput }) => isInput)).toMatchObject([
      { id: "path:categoryId", sample: "42" },
      { id: "path:boxId", sample: "0f8fad5b-d9cb-469f-a165-70867728950e" },
    ]);
    expect(title).toBe("List box items");
  });

  it("makes fields of placeholders in the path, without samples", () => {
    const { found, url } = read("curl https://api.example.com/users/{user_id}/:postId/<name>");
    expect(url).toBe("https://api.example.com/users/{userId}/{postId}/{name}");
    expect(found.fields.filter(({ sample }) => sample === undefined)).toMatchObject([
      { name: "userId", isAlwaysInput: true },
      { name: "postId", isAlwaysInput: true },
      { name: "name", isAlwaysInput: true },
    ]);
  });

  it("makes inputs of placeholders in capitals, which can stay", () => {
    const command = "curl https://api.example.com/repos/OWNER/REPO/issues/ISSUE_NUMBER";
    const { url, body } = read(command);
    expect(url).toBe("https://api.example.com/repos/{owner}/{repo}/issues/{issueNumber}");
    expect(body.fields).toEqual([
      { from: "input", in: "path", name: "owner" },
      { from: "input", in: "path", name: "repo" },
      { from: "input", in: "path", name: "issueNumber" },
    ]);
    const { body: other } = read(command, { inputs: new Map([["path:owner", false]]) });
    expect(other).toMatchObject({ path: "/repos/OWNER/{repo}/issues/{issueNumber}" });
    expect(other.fields).toHaveLength(2);
  });

  it("keeps codes in capitals as samples, and words of APIs as they are", () => {
    const { url, body } = read("curl https://api.example.com/API/latest/USD");
    expect(url).toBe("https://api.example.com/API/latest/{usd}");
    expect(body.fields).toEqual([{ from: "input", in: "path", name: "usd", sample: "USD" }]);
  });

  it("keeps a segment without an ID, and a version, unless they are chosen", () => {
    const command = "curl https://api.example.com/v2/repos/octavia/hello-world";
    expect(read(command).body).toMatchObject({
      path: "/v2/repos/octavia/hello-world",
      fields: [],
    });
    const { body } = read(command, {
      inputs: new Map([
        ["path:octavia", true],
        ["path:helloWorld", true],
      ]),
    });
    expect(body).toMatchObject({
      path: "/v2/repos/{octavia}/{helloWorld}",
      fields: [
        { from: "input", in: "path", name: "octavia", sample: "octavia" },
        { from: "input", in: "path", name: "helloWorld", sample: "hello-world" },
      ],
    });
  });

  it("names placeholders before segments of the same name", () => {
    const { url, found } = read("curl https://api.example.com/user/USER");
    expect(url).toBe("https://api.example.com/user/{user}");
    expect(found.fields.map(({ name }) => name)).toEqual(["user2", "user"]);
  });

  it("reads numbers and truth values of a query, and repeated names as a list", () => {
    const { found } = read("curl 'https://api.example.com/x?limit=20&all=true&id=007&tag=a&tag=b'");
    const query = found.fields.filter(({ place }) => place === "query");
    expect(query.map(({ name, sample }) => [name, sample])).toEqual([
      ["limit", 20],
      ["all", true],
      ["id", "007"],
      ["tag", ["a", "b"]],
    ]);
  });

  it("keeps headers unless they are placeholders", () => {
    const { found } = read("curl https://api.example.com/x -H 'X-Version: 3' -H 'X-Team: <team>'");
    expect(found.fields.filter(({ place }) => place === "header")).toMatchObject([
      { name: "x-version", isInput: false },
      { name: "x-team", isInput: true, isAlwaysInput: true },
    ]);
  });

  it("leaves nested secrets out of samples", () => {
    const command = `curl https://api.example.com/x --json '{"login":{"password":"hunter2","id":1},"to":["${token}"]}'`;
    const { body } = read(command, {
      inputs: new Map([
        ["body:login", false],
        ["body:to", false],
      ]),
    });
    expect(body.fields).toEqual([
      { from: "input", in: "body", name: "login", sample: { password: "", id: 1 } },
      { from: "input", in: "body", name: "to", sample: [""] },
    ]);
  });

  it.each([
    "-H 'Content-Type: text/xml' -d '<login><password>hunter2</password></login>'",
    "-d '<password>hunter2</password>'",
    `--json '{"query":"mutation { login(password: \\"hunter2\\") { id } }","variables":{}}'`,
    "-d 'otp=hunter2'",
    "-H 'X-Pin: hunter2'",
  ])("leaves out the secret of %s", (rest) => {
    const { body } = read(`curl https://api.example.com/x ${rest}`);
    expect(body.fields).not.toEqual([]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  it("keeps a text without secrets", () => {
    const { body } = read("curl https://api.example.com/x -d '<a><key>b</key></a>'");
    expect(body.fields).toMatchObject([{ in: "whole", sample: "<a><key>b</key></a>" }]);
  });

  it("keeps the query of GraphQL, and takes its variables", () => {
    const { body } = read(
      `curl https://api.example.com/graphql --json '{"query":"query Q { a }","variables":{"id":1}}'`,
    );
    expect(body.fields).toEqual([
      { from: "fixed", in: "body", name: "query", value: "query Q { a }" },
      { from: "input", in: "body", name: "variables", sample: { id: 1 } },
    ]);
  });
});

describe("toRequest", () => {
  it("keeps the texts of a form with files as samples, and objects of JSON as such", () => {
    const parts = `-F file=@a.png -F 'title=My photo' -F 'meta={"a":1};type=application/json'`;
    const { body } = read(`curl https://api.example.com/x ${parts}`);
    expect(body.fields).toEqual([
      { from: "input", in: "file", name: "file" },
      { from: "input", in: "body", name: "title", sample: "My photo" },
      { from: "input", in: "body", name: "meta", sample: { a: 1 } },
    ]);
    const { notes } = readCurl("curl https://api.example.com/x -F 'a=<p/>;type=text/xml'");
    expect(notes).toEqual(["The media types of these form fields are left out: a."]);
  });

  it("describes a request without its secrets", () => {
    const { body } = read(
      `curl 'https://api.github.com/repos/o/r/issues/7?page=1&q=a' -H 'Accept: application/vnd.github+json' -H 'Authorization: Bearer ${token}'`,
      { inputs: new Map([["query:page", false]]) },
    );
    expect(body).toEqual({
      title: "Get issue",
      method: "GET",
      server: "https://api.github.com",
      path: "/repos/o/r/issues/{issueId}",
      body: { kind: "none" },
      accept: "application/vnd.github+json",
      fields: [
        {
          from: "credential",
          in: "header",
          name: "authorization",
          prefix: "Bearer ",
          credential: "GITHUB_TOKEN",
        },
        { from: "input", in: "path", name: "issueId", sample: "7" },
        { from: "fixed", in: "query", name: "page", value: 1 },
        { from: "input", in: "query", name: "q", sample: "a" },
      ],
    });
  });

  it("sends a login with credentials, an empty password and a short name as they are", () => {
    const login = (user: string) => read(`curl https://api.example.com/x -u ${user}`).body.fields;
    expect(login("sk_live_12345678:")).toEqual([
      { from: "login", user: { credential: "EXAMPLE_API_KEY" }, password: { value: "" } },
    ]);
    expect(login("ada:s3cret")).toEqual([
      { from: "login", user: { value: "ada" }, password: { credential: "EXAMPLE_PASSWORD" } },
    ]);
  });

  it("writes no password into the request, whatever is chosen", () => {
    const { body } = read("curl https://api.example.com/x -u ada.lovelace:s3cret", {
      secrets: new Map([["password:authorization", "input"]]),
    });
    expect(JSON.stringify(body)).not.toContain("s3cret");
  });

  it("makes an input of a secret that is chosen as one, without its value", () => {
    const { body } = read("curl 'https://api.example.com/x?session=abcd'", {
      secrets: new Map([["query:session", "input"]]),
    });
    expect(body.fields).toEqual([{ from: "input", in: "query", name: "session" }]);
  });
});
