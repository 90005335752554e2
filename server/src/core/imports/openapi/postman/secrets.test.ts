import { describe, expect, it } from "vitest";
import { toBytes, toolOf } from "#testing/imports/generated-tool";
import { readDocument } from "../read-document.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

function collectionOf(item: object[], rest: object): Buffer {
  const variable = [{ key: "baseUrl", value: "https://api.example.com" }];
  return toBytes({ info: { name: "Pets", schema }, variable, item, ...rest });
}

const get = (url: unknown, rest: object = {}) => ({
  name: "List pets",
  request: { method: "GET", url, ...rest },
});

describe("secrets of known forms in collections", () => {
  const known = `ghp_${"a1B2".repeat(9)}`;
  const convert = (item: object[], rest: object = {}) => {
    const document = collectionOf(item, rest);
    const { converted = "", ...summary } = readDocument(document);
    const tools = summary.operations.map(
      ({ key }) => toolOf(document, key, { serverUrl: "https://x.example" }).definition,
    );
    return { keys: summary.operations.map(({ key }) => key), tools, all: { converted, summary } };
  };

  it.each([
    ["{{baseUrl}}/thing/SECRET", "GET /thing/{secret}"],
    ["{{baseUrl}}/thing/SECRET/to/SECRET.json", "GET /thing/{secret}/to/{secret2}.json"],
    [{ host: ["{{baseUrl}}"], path: ["thing", { value: "SECRET" }] }, "GET /thing/{secret}"],
    [{ raw: "{{baseUrl}}/a/:id", variable: [{ key: "id", value: "SECRET" }] }, "GET /a/{id}"],
    ["{{base_path}}/x", "GET /x"],
    ["{{baseUrl}}/{{path}}/x", "GET /{path}/x"],
  ])("makes them variables of the path %j", (url, key) => {
    const written = JSON.parse(JSON.stringify(url).replaceAll("SECRET", known)) as unknown;
    const variable = [
      { key: "baseUrl", value: "https://api.example.com" },
      { key: "base_path", value: `https://api.example.com/${known}` },
      { key: "path", value: known },
    ];
    const made = convert([get(written)], { variable });
    expect(made.keys).toEqual([key]);
    expect(JSON.stringify(made)).not.toContain(known);
  });

  it.each([
    ["https://hooks.slack.com/services/T000/B000/SECRET", "abcdefghijABCDEFGHIJ1234"],
    ["{{hook}}/T000/B000/SECRET", "abcdefghijABCDEFGHIJ1234"],
    ["{{whole}}", "abcdefghijABCDEFGHIJ1234"],
    ["https://api.telegram.org/botSECRET/getMe", "123456789:abcdefghijABCDEFGHIJ1234"],
  ])("omits what is secret at the host of %s", (url, value) => {
    const variable = [
      { key: "hook", value: "https://hooks.slack.com/services" },
      { key: "whole", value: `https://hooks.slack.com/services/T000/B000/${value}` },
    ];
    const made = convert([get(url.replace("SECRET", value))], { variable });
    expect(JSON.stringify(made)).not.toContain(value.slice(-20));
  });

  it("omits them in names, queries, headers, bodies, answers and descriptions", () => {
    const text = `Use ${known}, or:${known}`;
    const raw = JSON.stringify({ note: `line\n${known}`, list: [known], [known]: 1 });
    const request = {
      method: "POST",
      description: text,
      url: { raw: `{{baseUrl}}/a?q=Bearer%20${known}` },
      header: [{ key: "X-Note", value: text, description: text }],
      auth: { type: "apikey", apikey: { key: known, value: known } },
    };
    const bodies = [
      { mode: "raw", raw },
      { mode: "urlencoded", urlencoded: [{ key: "a", value: text, description: text }] },
      { mode: "graphql", graphql: { query: `{ pets(by: "${known}") { id } }` } },
    ];
    const item = bodies.map((body, at) => ({
      name: `Send ${known}`,
      request: { ...request, url: { raw: `${request.url.raw}&at=${at}` }, body },
      response: [{ code: 200, body: raw }],
    }));
    const info = { name: text, description: text, schema };
    const made = convert([{ name: known, description: text, item }], { info });
    expect(made.keys).toEqual(["POST /a"]);
    expect(JSON.stringify(made)).not.toContain(known);
  });

  it("omits values under names of secrets, whatever their type, and values in the form of secrets", () => {
    const secret = "S3cr3tV4lue99";
    const raw = JSON.stringify({
      password1: secret,
      password: { value: secret, list: [secret] },
      pin: 12_345_678,
      callback: `https://u:${secret}@b.example/`,
      note: `Bearer ${secret}`,
      max_tokens: 87,
    });
    const header = [{ key: "X-Custom", value: `Bearer ${secret}` }];
    const request = { method: "POST", url: `{{baseUrl}}/token/${secret}?user[password]=${secret}` };
    const item = [{ name: "Send", request: { ...request, header, body: { mode: "raw", raw } } }];
    const made = convert(item);
    expect(made.keys).toEqual(["POST /token/{secret}"]);
    expect(JSON.stringify(made)).not.toMatch(new RegExp(`${secret}|12345678`));
    expect(made.all.converted).toContain('"example":87');
    expect(made.all.converted).toContain('"X-Custom"');
  });

  it("reads long texts that resemble secrets once", () => {
    const description = ["pat-", "sk-a.", `eyJ${"a".repeat(10)}.`, "SG.a%41pat"].map((part) =>
      part.repeat(200_000),
    );
    const item = description.map((text) => get("{{baseUrl}}/a", { description: text }));
    expect(readDocument(collectionOf(item, {})).operations).toHaveLength(1);
  });
});

describe("the notes of a collection", () => {
  const secret = "S3cr3tV4lue99";
  const script = { listen: "test", script: { exec: ["pm.test('ok')"] } };
  const notesOf = (item: object[], rest: object = {}) =>
    readDocument(collectionOf(item, rest)).notes;

  it("names the scripts, and the places of secrets without their values", () => {
    const request = {
      method: "GET",
      url: { raw: "{{baseUrl}}/a?api_key=x", query: [{ key: "api_key", value: secret }] },
      header: [
        { key: "X-Api-Key", value: secret },
        { key: "Accept", value: "text/plain" },
      ],
      auth: { type: "bearer", bearer: [{ key: "token", value: secret }] },
    };
    const folder = { name: "Pets", item: [{ name: "List", request, event: [script] }] };
    const notes = notesOf([folder], {
      event: [script],
      variable: [
        { key: "baseUrl", value: "https://api.example.com" },
        { key: "apiToken", value: secret },
      ],
    });
    expect(notes).toEqual([
      'Scripts and tests are left out: of the collection, "List".',
      'Saved secrets are left out: variable apiToken, bearer authentication of "List", header X-Api-Key, parameter api_key. Tools use credentials in their place.',
    ]);
  });

  it("has none for variables of secrets, and empty scripts", () => {
    const auth = { type: "bearer", bearer: { token: "{{token}}" } };
    const item = { ...get("{{baseUrl}}/a", { auth }), event: [{ script: { exec: [""] } }] };
    expect(notesOf([item])).toEqual([]);
  });

  it("contains no secret of an address that is the name of a request, and no long name", () => {
    const names = [
      `https://u:${secret}@api.example.com/a?api_key=${secret}`,
      `a.example/b?token=${secret}`,
    ];
    const items = names.map((name, at) => ({ ...get(`{{baseUrl}}/${at}`), name, event: [script] }));
    const variable = [{ key: `password ${"x".repeat(5_000)}`, value: secret }];
    const read = readDocument(collectionOf([{ name: names[1], item: items }], { variable }));
    expect(JSON.stringify(read)).not.toContain(secret);
    expect(read.notes[0]).toContain("of an unnamed request.");
    expect(read.notes[1]?.length).toBeLessThan(200);
  });

  it("counts the names after the first ten", () => {
    const items = Array.from({ length: 13 }, (_, at) => ({
      ...get(`{{baseUrl}}/${at}`),
      name: `Call ${at}`,
      event: [script],
    }));
    expect(notesOf(items)[0]).toContain('"Call 9", 3 more.');
  });
});
