import { describe, expect, it } from "vitest";
import { documentOf, runTool, toBytes, toolOf } from "#testing/imports/generated-tool";
import type { Outside } from "#testing/imports/generated-tool";

const ok = { responses: { 200: { description: "OK" } } };
const json = (schema: object) => ({ content: { "application/json": { schema } } });

async function send(operation: object, input: object, path = "/pets", method = "get") {
  const document = documentOf({ [path]: { [method]: { ...ok, ...operation } } });
  const { definition } = toolOf(document, `${method.toUpperCase()} ${path}`);
  const { request, body } = await runTool(definition, input);
  return { url: request.url.replace("https://api.example.com/v1", ""), request, body };
}

const list = ["a b", "c,d"];
const object = { R: "1/2", G: "x&y" };

describe("parameters", () => {
  it.each([
    ["form, exploded", {}, list, "p=a%20b&p=c%2Cd"],
    ["form", { explode: false }, list, "p=a%20b,c%2Cd"],
    ["spaceDelimited", { style: "spaceDelimited", explode: false }, list, "p=a%20b%20c%2Cd"],
    ["pipeDelimited", { style: "pipeDelimited", explode: false }, list, "p=a%20b%7Cc%2Cd"],
    ["form with an object, exploded", {}, object, "R=1%2F2&G=x%26y"],
    ["form with an object", { explode: false }, object, "p=R,1%2F2,G,x%26y"],
    ["deepObject", { style: "deepObject" }, object, "p%5BR%5D=1%2F2&p%5BG%5D=x%26y"],
    ["allowReserved", { allowReserved: true }, "a/b?c&d #", "p=a/b?c%26d%20%23"],
    ["a number", {}, 0, "p=0"],
    ["an empty text", {}, "", "p="],
  ])("writes a query of the style %s", async (_, style, value, expected) => {
    const parameters = [{ name: "p", in: "query", schema: {}, ...style }];
    expect((await send({ parameters }, { p: value })).url).toBe(`/pets?${expected}`);
  });

  it("writes JSON if the parameter has content", async () => {
    const content = { "application/json": { schema: { type: "object" } } };
    const { url } = await send(
      { parameters: [{ name: "p", in: "query", content }] },
      { p: { a: 1 } },
    );
    expect(url).toBe("/pets?p=%7B%22a%22%3A1%7D");
  });

  it.each([
    ["simple", {}, list, "/a%20b,c%2Cd"],
    ["simple with an object", {}, object, "/R,1%2F2,G,x%26y"],
    ["simple with an object, exploded", { explode: true }, object, "/R=1%2F2,G=x%26y"],
    ["label", { style: "label" }, list, "/.a%20b,c%2Cd"],
    ["label, exploded", { style: "label", explode: true }, list, "/.a%20b.c%2Cd"],
    ["matrix", { style: "matrix" }, list, "/;p=a%20b,c%2Cd"],
    ["matrix, exploded", { style: "matrix", explode: true }, list, "/;p=a%20b;p=c%2Cd"],
    [
      "matrix with an object, exploded",
      { style: "matrix", explode: true },
      object,
      "/;R=1%2F2;G=x%26y",
    ],
    ["allowReserved", { allowReserved: true }, "docs/a b.md", "/docs/a%20b.md"],
  ])("writes a path of the style %s", async (_, style, value, expected) => {
    const parameters = [{ name: "p", in: "path", required: true, schema: {}, ...style }];
    expect((await send({ parameters }, { p: value }, "/pets/{p}")).url).toBe(`/pets${expected}`);
  });

  it.each(["..", ".", ""])("refuses %j as a segment of a path", async (p) => {
    await expect(send({}, { p }, "/pets/{p}/toys")).rejects.toThrow("cannot be a part of the path");
    const parameters = [{ name: "p", in: "path", allowReserved: true, schema: {} }];
    await expect(send({ parameters }, { p: `a/${p}` }, "/pets/{p}")).rejects.toThrow(
      "part of the path",
    );
  });

  it("writes headers and cookies, and omits those without a value", async () => {
    const parameters = [
      { name: "X-Tags", in: "header", schema: { type: "array" } },
      { name: "X-None", in: "header", schema: {} },
      { name: "session", in: "cookie", schema: {} },
    ];
    const { request } = await send({ parameters }, { "X-Tags": ["a", "b"], session: "x;y" });
    expect(Object.fromEntries(request.headers)).toMatchObject({
      "x-tags": "a,b",
      cookie: "session=x%3By",
    });
    expect(request.headers.has("x-none")).toBe(false);
  });

  it("has a field for each of two parameters with one name, and none for headers of its own", async () => {
    const parameters = [
      { name: "id", in: "query", schema: {} },
      { name: "Accept", in: "header", schema: {} },
      { name: "content-type", in: "header", schema: {} },
      { name: "Authorization", in: "header", schema: {} },
    ];
    const document = documentOf({ "/pets/{id}": { get: { ...ok, parameters } } });
    const { definition } = toolOf(document, "GET /pets/{id}");
    const names = Object.keys(definition.inputSchema["properties"] as object);
    expect(names).toEqual(["id", "id_path"]);
    const { request } = await runTool(definition, { id: "query", id_path: "path" });
    expect(request.url).toBe("https://api.example.com/v1/pets/path?id=query");
  });

  it("writes many parameters, plain and styled ones", async () => {
    const plain = Array.from({ length: 30 }, (_, at) => ({
      name: `p${at}`,
      in: "query",
      schema: {},
    }));
    const parameters = [...plain, { name: "list", in: "query", explode: false, schema: {} }];
    const { url } = await send({ parameters }, { p0: "a", p29: ["b", "c"], list: [1, 2] });
    expect(url).toBe("/pets?p0=a&p29=b&p29=c&list=1,2");
  });

  it("fills a placeholder with the name of the prototype", async () => {
    const parameters = [{ name: "__proto__", in: "path", required: true, schema: {} }];
    const { url } = await send({ parameters }, { proto: "a" }, "/pets/{__proto__}");
    expect(url).toBe("/pets/a");
  });

  it("keeps the query of a path", async () => {
    const parameters = [{ name: "q", in: "query", schema: {} }];
    expect((await send({ parameters }, { q: 1 }, "/pets?beta=true")).url).toBe(
      "/pets?beta=true&q=1",
    );
  });
});

describe("bodies", () => {
  const properties = {
    name: { type: "string" },
    tags: { type: "array" },
    owner: { type: "object" },
  };
  const input = { name: "Ü&=", tags: ["a", "b"], owner: { id: 1 } };

  it("sends the fields of an object as JSON", async () => {
    const requestBody = json({ type: "object", properties, required: ["name"] });
    const { request, body } = await send({ requestBody }, input, "/pets", "post");
    expect(request.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(body)).toEqual(input);
  });

  it("sends no body if it is optional and no field has a value", async () => {
    const requestBody = json({ type: "object", properties });
    const { request, body } = await send({ requestBody }, {}, "/pets", "post");
    expect([body, request.headers.get("content-type")]).toEqual(["", null]);
  });

  it("sends any other JSON as one field", async () => {
    const requestBody = { required: true, ...json({ type: "array", items: { type: "string" } }) };
    const { body } = await send({ requestBody }, { body: ["a"] }, "/pets", "put");
    expect(body).toBe('["a"]');
  });

  it("sends forms, with lists repeated and objects as JSON or in their style", async () => {
    const type = "application/x-www-form-urlencoded";
    const plain = { content: { [type]: { schema: { type: "object", properties } } } };
    const { body, request } = await send({ requestBody: plain }, input, "/pets", "post");
    expect(body).toBe("name=%C3%9C%26%3D&tags=a&tags=b&owner=%7B%22id%22%3A1%7D");
    expect(request.headers.get("content-type")).toBe(type);
    const encoding = {
      owner: { style: "deepObject", explode: true },
      tags: { style: "form", explode: false },
    };
    const styled = { content: { [type]: { schema: { type: "object", properties }, encoding } } };
    expect((await send({ requestBody: styled }, input, "/pets", "post")).body).toBe(
      "name=%C3%9C%26%3D&tags=a,b&owner%5Bid%5D=1",
    );
  });

  it("sends files and fields as parts of a form", async () => {
    const schema = {
      type: "object",
      required: ["photo"],
      properties: {
        photo: { type: "string", format: "binary" },
        more: { type: "array", items: { type: "string", format: "binary" } },
        owner: { type: "object" },
      },
    };
    const requestBody = { required: true, content: { "multipart/form-data": { schema } } };
    const document = documentOf({ "/pets": { post: { ...ok, requestBody } } });
    const { definition } = toolOf(document, "POST /pets");
    expect(definition.fileFields).toEqual(["photo", "more"]);
    expect(definition.inputSchema["properties"]).toMatchObject({
      photo: { type: "string", description: "The file to send." },
      more: { type: "array", items: { type: "string" } },
    });
    const file = (name: string) => ({
      fileName: name,
      mimeType: "image/png",
      body: `bytes of ${name}`,
    });
    const files = { f1: file("a.png"), f2: file("b.png") };
    const { request } = await runTool(
      definition,
      { photo: "f1", more: ["f2"], owner: { id: 1 } },
      { files },
    );
    const form = await request.formData();
    const photo = form.get("photo") as File;
    expect([photo.name, photo.type, await photo.text()]).toEqual([
      "a.png",
      "image/png",
      "bytes of a.png",
    ]);
    expect((form.get("more") as File).name).toBe("b.png");
    expect(form.get("owner")).toBe('{"id":1}');
  });

  it("sends JSON parts of a form with their type, and lists as parts of one name", async () => {
    const schema = {
      type: "object",
      properties: {
        photo: { type: "string", format: "binary" },
        name: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        owner: { type: "object" },
        toys: { type: "array", items: { type: "object" } },
        all: { type: "array", items: { type: "string" } },
      },
    };
    const encoding = { all: { contentType: "application/json" } };
    const requestBody = { content: { "multipart/form-data": { schema, encoding } } };
    const { definition } = toolOf(
      documentOf({ "/pets": { post: { ...ok, requestBody } } }),
      "POST /pets",
    );
    const files = { f1: { fileName: 'a"\r\nb.png', mimeType: "image/png", body: "\u00ff" } };
    const all = { tags: ["a", "b"], owner: { id: 1 }, toys: [{ a: 1 }, { b: 2 }], all: ["c"] };
    const { request, body } = await runTool(
      definition,
      { photo: "f1", name: "Ü", ...all },
      { files },
    );
    const boundary = request.headers.get("content-type")?.split("boundary=")[1] ?? "";
    const parts = body.split(`--${boundary}`).map((part) => part.trim().split("\r\n\r\n"));
    const plain = (name: string) => `Content-Disposition: form-data; name="${name}"`;
    const typed = (name: string) => `${plain(name)}\r\nContent-Type: application/json`;
    expect(parts).toEqual([
      [""],
      [`${plain("photo")}; filename="a%22%0D%0Ab.png"\r\nContent-Type: image/png`, "\u00ff"],
      [plain("name"), "Ü"],
      [plain("tags"), "a"],
      [plain("tags"), "b"],
      [typed("owner"), '{"id":1}'],
      [typed("toys"), '{"a":1}'],
      [typed("toys"), '{"b":2}'],
      [typed("all"), '["c"]'],
      ["--"],
    ]);
    const form = await new Response(body, { headers: request.headers }).formData();
    expect(form.getAll("tags")).toEqual(["a", "b"]);
  });

  it("sends a file as the body, with its own type if the document allows any", async () => {
    const files = { f1: { fileName: "a.png", mimeType: "image/png", body: "bytes" } };
    for (const [type, expected] of [
      ["application/octet-stream", "image/png"],
      ["application/zip", "application/zip"],
    ]) {
      const requestBody = { content: { [type ?? ""]: {} } };
      const document = documentOf({ "/pets": { put: { ...ok, requestBody } } });
      const { request, body } = await runTool(
        toolOf(document, "PUT /pets").definition,
        { body: "f1" },
        { files },
      );
      expect([request.headers.get("content-type"), body]).toEqual([expected, "bytes"]);
    }
  });

  it("prefers a merge patch, which is an object, to other patches", async () => {
    const schema = { type: "object", description: "A patch." };
    const content = { "application/json-patch+json": { schema } };
    const all = { ...content, "application/merge-patch+json": { schema } };
    const patch = { metadata: { name: "a" } };
    const requestBody = { content: all };
    const merge = await send({ requestBody }, { body: patch }, "/pets", "patch");
    expect(merge.request.headers.get("content-type")).toBe("application/merge-patch+json");
    expect(JSON.parse(merge.body)).toEqual(patch);
    const tool = toolOf(
      documentOf({ "/pets": { patch: { ...ok, requestBody: { content } } } }),
      "PATCH /pets",
    );
    expect(tool.definition.inputSchema["properties"]).toMatchObject({
      body: { type: "array", items: { required: ["op", "path"] } },
    });
  });

  it("sends text as it is", async () => {
    const requestBody = {
      required: true,
      content: { "text/markdown": { schema: { type: "string" } } },
    };
    const { request, body } = await send({ requestBody }, { body: "# Hi" }, "/pets", "post");
    expect([request.headers.get("content-type"), body]).toEqual(["text/markdown", "# Hi"]);
  });

  it("sends no body with GET, and says so", () => {
    const requestBody = json({ type: "object", properties });
    const tool = toolOf(documentOf({ "/pets": { get: { ...ok, requestBody } } }), "GET /pets");
    expect(tool.notes).toEqual(["Requests of the method GET have no body, so it is not sent."]);
    expect(tool.definition.inputSchema["properties"]).toEqual({});
  });
});

describe("answers", () => {
  const answer = async (responses: object, respond: Outside["respond"], rest: object = {}) => {
    const document = documentOf({ "/pets": { get: { responses, ...rest } } });
    const tool = toolOf(document, "GET /pets");
    const ran = await runTool(tool.definition, {}, { respond });
    return { ...ran, outputSchema: tool.definition.outputSchema, tool };
  };
  const pet = {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "integer" },
      name: { type: ["string", "null"], description: "Its name." },
    },
  };

  it("returns the members of an object, of which none is checked", async () => {
    const { output, outputSchema } = await answer({ 200: json(pet) }, () =>
      Response.json({ id: "1", name: null, other: 2 }),
    );
    expect(output).toEqual({ id: "1", name: null, other: 2 });
    expect(outputSchema.properties).toEqual([
      { name: "id", type: "integer", description: "", optional: true, lenient: true },
      { name: "name", type: "string", description: "Its name.", optional: true, lenient: true },
    ]);
  });

  const respondWith = (type: string | undefined, body: string | null) => () => {
    const response = new Response(body, { status: body === null ? 204 : 200 });
    response.headers.delete("content-type");
    if (type !== undefined) response.headers.set("content-type", type);
    return response;
  };
  const undocumented = { 200: { description: "OK" } };
  const csv = { 200: { content: { "text/csv": {} } } };

  it.each([
    ["a list", json({ type: "array", items: pet }), "application/json", '[{"id":1}]', [{ id: 1 }]],
    ["an undocumented list", undocumented[200], "application/json", "[1]", [1]],
    ["a list instead of an object", json(pet), "application/json", "[1]", [1]],
  ])("returns the items of %s", async (_, response, type, body, items) => {
    const { output } = await answer({ 200: response }, respondWith(type, body));
    expect(output).toEqual({ items });
  });

  it.each([
    ["an object that is not documented", undocumented, "application/json", { id: 1 }],
    ["an object instead of a list", { 200: json({ type: "array" }) }, "application/json", { a: 1 }],
    ["JSON of another type", { 200: json(pet) }, "application/problem+json", { id: 1 }],
    ["JSON without a type", { 200: json(pet) }, undefined, { id: 1 }],
    ["JSON that is called text", { 200: json(pet) }, "text/plain", { id: 1 }],
    ["JSON instead of text", csv, "application/json", { id: 1 }],
    ["JSON instead of a file", { 200: { content: { "image/png": {} } } }, "text/json", { a: 1 }],
  ])("returns the members of %s", async (_, responses, type, body) => {
    const { output } = await answer(responses, respondWith(type, JSON.stringify(body)));
    expect(output).toEqual(body);
  });

  it.each([
    ["text", csv, "text/csv", "a,b", { text: "a,b" }],
    ["text that looks like JSON", csv, "text/plain", "1", { text: "1" }],
    ["text instead of JSON", { 200: json(pet) }, "text/html", "<html>", { text: "<html>" }],
    ["JSON that is cut off", { 200: json(pet) }, "application/json", "{", { text: "{" }],
    [
      "another value",
      { 200: json({ type: "string" }) },
      "application/json",
      '"x"',
      { result: "x" },
    ],
    ["null", { 200: json(pet) }, "application/json", "null", { result: null }],
    ["no content", { 200: json(pet) }, undefined, null, { status: 204 }],
    ["an empty body", undocumented, "application/json", "", { status: 200 }],
  ])("returns %s", async (_, responses, type, body, expected) => {
    expect((await answer(responses, respondWith(type, body))).output).toEqual(expected);
  });

  it("prefers text to JSON where the document describes a text", async () => {
    const schema = { type: "string" };
    const content = { "application/json": { schema }, "text/plain": { schema } };
    const { request, output } = await answer(
      { 200: { content } },
      respondWith("text/plain", '{"level":"info"}'),
    );
    expect(request.headers.get("accept")).toBe("text/plain, */*;q=0.1");
    expect(output).toEqual({ text: '{"level":"info"}' });
  });

  it("returns audio as a file and events as text, as the response says", async () => {
    const content = { "text/event-stream": {}, "application/octet-stream": {} };
    const audio = await answer({ 200: { content } }, respondWith("audio/mpeg", "ID3"));
    expect(audio.saved).toEqual([{ name: "pets.mp3", mimeType: "audio/mpeg", text: "ID3" }]);
    expect(audio.output).toHaveProperty("file.fileId", "saved");
    const events = await answer({ 200: { content } }, respondWith("text/event-stream", "data: 1"));
    expect(events.output).toEqual({ text: "data: 1" });
  });

  it("returns the first events of a stream without an end", async () => {
    const content = { "text/event-stream": {} };
    const event = new TextEncoder().encode(`data: ${"x".repeat(100_000)}\n\n`);
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(event) });
    const headers = { "content-type": "text/event-stream" };
    const { output } = await answer({ 200: { content } }, () => new Response(body, { headers }));
    expect((output as { text: string }).text.length).toBeLessThan(1_200_000);
  });

  it("saves an answer that is too large for an output", async () => {
    const body = JSON.stringify({ text: "x".repeat(2_000_000) });
    const ran = await answer({ 200: json(pet) }, respondWith("application/json", body));
    expect(ran.saved).toMatchObject([{ name: "pets.json", text: body }]);
  });

  it.each([
    ["as the API names it", "application/pdf", 'attachment; filename="a.pdf"', "a.pdf"],
    [
      "as the API names it in UTF-8",
      "application/pdf",
      "filename*=UTF-8''%C3%BC.pdf",
      "%C3%BC.pdf",
    ],
    ["with the extension of its type", "application/zip", "attachment; filename=a", "a.zip"],
    ["with the path and the type", "image/x-icon", undefined, "pets.icon"],
    ["with the path and no type", "application/vnd.x", undefined, "pets.bin"],
  ])("saves other content as a file, %s", async (_, type, disposition, name) => {
    const headers = new Headers({ "content-type": type });
    if (disposition !== undefined) headers.set("content-disposition", disposition);
    const responses = { 200: { content: { "application/pdf": {} } } };
    const { saved } = await answer(responses, () => new Response("bytes", { headers }));
    expect(saved).toEqual([{ name, mimeType: type, text: "bytes" }]);
  });

  it.each([
    ["problem details", { type: "x", title: "Bad", detail: "No such pet." }, "No such pet."],
    ["message", { message: "Validation Failed", errors: [{ message: "x" }] }, "Validation Failed"],
    ["error", { error: "invalid_auth" }, "invalid_auth"],
    ["error.message", { error: { code: 1, message: "Deep" } }, "Deep"],
    ["errors[0].message", { errors: [{ message: "First" }, { message: "Second" }] }, "First"],
    ["text", "Nothing here", "Nothing here"],
  ])("throws the API's %s", async (_, body, expected) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const respond = () => new Response(text, { status: 404 });
    await expect(answer({ 200: json(pet) }, respond)).rejects.toThrow(
      `GET /pets failed with status 404: ${expected}`,
    );
  });

  it.each([
    [{ "retry-after": "30" }, "Slow down. Retry after 30 s."],
    [
      { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT", "x-request-id": "r-1" },
      "Slow down. Retry after Wed, 21 Oct 2026 07:28:00 GMT. Request ID: r-1.",
    ],
    [{ "request-id": "r-2" }, "Slow down. Request ID: r-2."],
  ])("throws when to retry, and the ID of the request: %j", async (headers, expected) => {
    const respond = () => Response.json({ message: "Slow down" }, { status: 429, headers });
    await expect(answer({ 200: json(pet) }, respond)).rejects.toThrow(
      `GET /pets failed with status 429: ${expected}`,
    );
  });

  const page = (schema: object) => ({ parameters: [{ name: "page", in: "query", schema }] });
  const next =
    '<https://api.example.com/v1/pets?page=3&x=1>; rel="next", <https://x.example>; rel="last"';

  it("returns the next page of a Link header, as the type of the parameter", async () => {
    const responses = { 200: { headers: { Link: {} }, ...json({ type: "array" }) } };
    const respond = () => Response.json([], { headers: { link: next } });
    const { output, tool } = await answer(responses, respond, page({ type: "integer" }));
    expect(output).toEqual({ items: [], nextPage: 3 });
    expect(tool.pagination).toEqual({ kind: "link", input: "page", output: "nextPage" });
    const text = await answer(responses, respond, page({ type: "string" }));
    expect(text.output).toEqual({ items: [], nextPage: "3" });
    expect((await answer(responses, () => Response.json([]), page({}))).output).toEqual({
      items: [],
    });
  });

  const cursor = { parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }] };
  const scalar = { type: "string" };

  it.each([
    ["a member", { next_cursor: scalar }, { next_cursor: "n" }, "n"],
    [
      "a nested member",
      { response_metadata: { type: "object", properties: { next_cursor: scalar } } },
      { response_metadata: { next_cursor: "n" } },
      "n",
    ],
    ["an empty member", { next_cursor: scalar }, { next_cursor: "" }, undefined],
    ["a member of the same name", { next_cursor: scalar }, { nextPage: { a: 1 } }, { a: 1 }],
    ["a URL", { next: scalar }, { next: "/pets?cursor=n" }, "n"],
    [
      "the last item",
      {
        data: { type: "array", items: { type: "object", properties: { id: scalar } } },
        has_more: { type: "boolean" },
      },
      { data: [{ id: "m" }, { id: "n" }], has_more: true },
      "n",
    ],
    [
      "no more items",
      {
        data: { type: "array", items: { type: "object", properties: { id: scalar } } },
        has_more: { type: "boolean" },
      },
      { data: [{ id: "n" }], has_more: false },
      undefined,
    ],
  ])("returns the next page of %s", async (_, properties, body, expected) => {
    const { output } = await answer(
      { 200: json({ type: "object", properties }) },
      () => Response.json(body),
      cursor,
    );
    expect((output as { nextPage?: unknown }).nextPage).toEqual(expected);
  });

  it("offers no next page that answers do not name", () => {
    const document = documentOf({
      "/pets": { get: { responses: { 200: json({ type: "array" }) }, ...cursor } },
    });
    expect(toolOf(document, "GET /pets").pagination).toEqual({ kind: "cursor", input: "cursor" });
  });
});

describe("security", () => {
  const securitySchemes = {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    query: { type: "apiKey", in: "query", name: "api_key" },
    cookie: { type: "apiKey", in: "cookie", name: "sid" },
    basic: { type: "http", scheme: "Basic" },
    token: { type: "http", scheme: "bearer" },
    tls: { type: "mutualTLS" },
  };
  const secured = (security: object[], rest: object = {}) =>
    documentOf(
      { "/pets": { get: { ...ok, ...rest, security } } },
      { components: { securitySchemes } },
    );

  it("sends every scheme of an alternative, to the API's host only", async () => {
    const security = [{ key: [], query: [], cookie: [], basic: [] }];
    const { definition } = toolOf(secured(security), "GET /pets");
    const { request } = await runTool(definition, {});
    const sent = Object.fromEntries(request.headers);
    expect(request.url).toContain("?api_key=value%20of%20PETS_QUERY_API_KEY");
    expect(sent).toMatchObject({
      "x-key": "value of PETS_KEY",
      cookie: "sid=value%20of%20PETS_COOKIE_API_KEY",
      authorization: `Basic ${btoa("value of PETS_USER:value of PETS_PASSWORD")}`,
    });
    expect(new Set(definition.credentials.flatMap(({ hosts }) => hosts))).toEqual(
      new Set(["api.example.com"]),
    );
  });

  it("uses the first alternative that it supports, and the one whose credentials are named", async () => {
    const document = secured([{ tls: [] }, { token: [] }, { key: [] }]);
    const first = toolOf(document, "GET /pets").definition;
    expect((await runTool(first, {})).request.headers.get("authorization")).toBe(
      "Bearer value of PETS_TOKEN",
    );
    const named = toolOf(document, "GET /pets", {
      credentialNames: { key: ["MY_KEY"] },
    }).definition;
    expect((await runTool(named, {})).request.headers.get("x-key")).toBe("value of MY_KEY");
    expect(named.credentials).toMatchObject([{ name: "MY_KEY", description: "API key." }]);
  });

  it("uses no credentials where they are optional, unless they are named", () => {
    const document = secured([{ token: [] }, {}]);
    const tool = toolOf(document, "GET /pets");
    expect(tool.definition.credentials).toEqual([]);
    expect(tool.notes[0]).toContain("Credentials are optional");
    const named = toolOf(document, "GET /pets", { credentialNames: { token: ["T"] } });
    expect(named.definition.credentials).toHaveLength(1);
  });

  it("notes authentication that it does not support", () => {
    expect(toolOf(secured([{ tls: [] }]), "GET /pets").notes[0]).toContain(
      '"tls" is not supported',
    );
  });

  it("authenticates as chosen where the document declares nothing", async () => {
    const document = documentOf({ "/pets": { get: ok } });
    const authentication = [{ kind: "bearer" as const, credentialNames: ["PETS_TOKEN"] }];
    const { definition } = toolOf(document, "GET /pets", { authentication });
    expect((await runTool(definition, {})).request.headers.get("authorization")).toBe(
      "Bearer value of PETS_TOKEN",
    );
    expect(definition.credentials).toMatchObject([
      { name: "PETS_TOKEN", hosts: ["api.example.com"] },
    ]);
  });

  it("leaves out parameters that repeat a credential", () => {
    const parameters = [
      { name: "x-key", in: "header", schema: {} },
      { name: "api_key", in: "query", schema: {} },
      { name: "token", in: "query", required: true, schema: {} },
      { name: "limit", in: "query", schema: {} },
    ];
    const { definition } = toolOf(secured([{ token: [] }], { parameters }), "GET /pets");
    expect(Object.keys(definition.inputSchema["properties"] as object)).toEqual(["limit"]);
  });

  it("refuses names of credentials that tools cannot have", () => {
    const document = secured([{ token: [] }]);
    for (const names of [["not a name"], [], ["A", "B"]]) {
      expect(() => toolOf(document, "GET /pets", { credentialNames: { token: names } })).toThrow(
        "credential names",
      );
    }
  });
});

describe("servers", () => {
  const at = (document: Buffer, options = {}) =>
    toolOf(document, "GET /pets", options).definition.allowedHosts;
  const paths = { "/pets": { get: ok } };

  it("resolves relative URLs against the document's own", async () => {
    const document = documentOf(paths, { servers: [{ url: "/api/" }] });
    const { definition } = toolOf(document, "GET /pets", {
      documentUrl: "http://pets.example:8080/docs/openapi.json",
    });
    expect(definition.allowedHosts).toEqual(["http://pets.example:8080"]);
    expect((await runTool(definition, {})).request.url).toBe("http://pets.example:8080/api/pets");
    expect(() => at(document)).toThrow("Enter the server's URL");
    expect(
      at(documentOf(paths, { servers: undefined }), { documentUrl: "https://pets.example/x" }),
    ).toEqual(["pets.example"]);
  });

  it("fills variables with their defaults, and asks for those without", () => {
    const servers = [
      {
        url: "https://{region}.example.com",
        variables: { region: { default: "eu", enum: ["eu", "us"] } },
      },
    ];
    const tool = toolOf(documentOf(paths, { servers }), "GET /pets");
    expect(tool.definition.allowedHosts).toEqual(["eu.example.com"]);
    expect(tool.notes).toEqual(['The server\'s address uses "eu" for "region".']);
    const open = documentOf(paths, { servers: [{ url: "https://{region}.example.com" }] });
    expect(() => at(open)).toThrow('variable "region" without a value');
    expect(at(open, { serverUrl: "https://us.example.com" })).toEqual(["us.example.com"]);
  });

  const servers = (host: string) => ({ servers: [{ url: `https://${host}.example.com/v1` }] });
  const both = documentOf({
    "/pets": { ...servers("path"), get: { ...ok, ...servers("operation") } },
  });
  const path = documentOf({ "/pets": { ...servers("path"), get: ok } });

  it("prefers the chosen server to those of the operation and its path", () => {
    const serverUrl = "https://chosen.example.com/v2";
    for (const document of [both, path, documentOf(paths)]) {
      const { definition, notes } = toolOf(document, "GET /pets", { serverUrl });
      expect(definition.allowedHosts).toEqual(["chosen.example.com"]);
      expect(definition.source.code).toContain(serverUrl);
      expect(definition.source.code).not.toMatch(/operation\.example|path\.example|v1/);
      expect(notes).toEqual([]);
    }
  });

  it("notes that an operation names another host than the document", () => {
    const own = documentOf({ "/pets": { get: { ...ok, ...servers("api") } } }, servers("api"));
    const hosts = (document: Uint8Array) => toolOf(document, "GET /pets").notes;
    expect([both, path, documentOf(paths), own].map(hosts)).toEqual([
      ["Requests go to operation.example.com, which this operation names."],
      ["Requests go to path.example.com, which this operation names."],
      [],
      [],
    ]);
  });

  it("leaves out the password of a server", () => {
    const { definition } = toolOf(
      documentOf(paths, { servers: [{ url: "https://user:s3cr3t@x.example" }] }),
      "GET /pets",
    );
    expect(definition.allowedHosts).toEqual(["x.example"]);
    expect(JSON.stringify(definition)).not.toContain("s3cr3t");
  });

  it.each(["ftp://x.example", "javascript:alert(1)", "file:///etc"])(
    "refuses the server %s",
    (url) => {
      expect(() => at(documentOf(paths, { servers: [{ url }] }))).toThrow("Enter the server's URL");
    },
  );

  it("prefers HTTPS of the schemes of Swagger 2", () => {
    const document = toBytes({
      swagger: "2.0",
      info: {},
      host: "pets.example",
      basePath: "/v2",
      schemes: ["http", "https"],
      paths,
    });
    expect(at(document)).toEqual(["pets.example"]);
  });
});
