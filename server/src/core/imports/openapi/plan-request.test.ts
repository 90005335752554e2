import { createDraftFromRequestInput } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { runTool } from "#testing/imports/generated-tool";
import { makeRequestTool } from "./plan-request.ts";

function make(request: object) {
  return makeRequestTool(
    createDraftFromRequestInput.parse({
      title: "Send it",
      method: "GET",
      server: "https://api.example.com",
      path: "/x",
      fields: [],
      ...request,
    }),
  );
}

describe("makeRequestTool", () => {
  it("sends fixed values with the name of the prototype", async () => {
    const { definition } = make({
      method: "POST",
      body: { kind: "json" },
      fields: [
        { from: "fixed", in: "body", name: "__proto__", value: "a" },
        { from: "fixed", in: "body", name: "x", value: JSON.parse('{"__proto__":{"y":1}}') },
        { from: "fixed", in: "body", name: "z", value: '{"__proto__":1}' },
      ],
    });
    const { body } = await runTool(definition, {});
    expect(body).toBe('{"__proto__":"a","x":{"__proto__":{"y":1}},"z":"{\\"__proto__\\":1}"}');
  });

  it("makes inputs with types and an example, and sends them with what is fixed", async () => {
    const { definition, notes } = make({
      method: "POST",
      path: "/users/{userId}/notes",
      body: { kind: "json" },
      fields: [
        { from: "input", in: "path", name: "userId", sample: "42" },
        { from: "input", in: "query", name: "notify", sample: true },
        { from: "fixed", in: "query", name: "version", value: 2 },
        { from: "fixed", in: "header", name: "x-team", value: "a" },
        { from: "input", in: "body", name: "note", sample: { text: "Hi", tags: ["a"] } },
        { from: "fixed", in: "body", name: "type", value: { id: 1 } },
        {
          from: "credential",
          in: "header",
          name: "authorization",
          credential: "EXAMPLE_TOKEN",
          prefix: "Bearer ",
        },
      ],
    });
    expect(notes).toEqual([]);
    expect(definition).toMatchObject({
      title: "Send it",
      description: "Sends POST /users/{userId}/notes to api.example.com.",
      inputSchema: {
        properties: {
          userId: { type: "string" },
          notify: { type: "boolean" },
          note: {
            type: "object",
            properties: {
              text: { type: "string" },
              tags: { type: "array", items: { type: "string" } },
            },
          },
        },
        required: ["userId", "note"],
      },
      credentials: [
        { name: "EXAMPLE_TOKEN", description: "Access token.", hosts: ["api.example.com"] },
      ],
      allowedHosts: ["api.example.com"],
      idempotent: false,
      examples: [{ input: { userId: "42", notify: true, note: { text: "Hi", tags: ["a"] } } }],
    });
    const ran = await runTool(definition, { userId: "a/b", note: { text: "Ho" } });
    expect(ran.request.url).toBe("https://api.example.com/users/a%2Fb/notes?version=2");
    expect(ran.request.headers.get("x-team")).toBe("a");
    expect(ran.request.headers.get("authorization")).toContain("EXAMPLE_TOKEN");
    expect(JSON.parse(ran.body)).toEqual({ note: { text: "Ho" }, type: { id: 1 } });
  });

  it("makes a date field of a sample that is a day of the calendar", () => {
    const { definition } = make({
      method: "POST",
      body: { kind: "json" },
      fields: [
        { from: "input", in: "body", name: "due", sample: "2026-12-24" },
        { from: "input", in: "body", name: "invalid", sample: "2026-02-30" },
        { from: "input", in: "body", name: "text", sample: "2026-12-24 is a holiday" },
        { from: "input", in: "body", name: "item", sample: { days: ["2024-02-29"] } },
      ],
    });
    const { properties } = definition.inputSchema as { properties: Record<string, object> };
    expect(properties["due"]).toMatchObject({ type: "string", format: "date" });
    expect(properties["invalid"]).not.toHaveProperty("format");
    expect(properties["text"]).not.toHaveProperty("format");
    expect(properties["item"]).toMatchObject({
      properties: { days: { items: { type: "string", format: "date" } } },
    });
  });

  it("makes one input of a value in the path and the body, and says where another one belongs", async () => {
    const { definition } = make({
      method: "POST",
      path: "/orders/{orderId}/notes/{id}",
      body: { kind: "json" },
      fields: [
        { from: "input", in: "path", name: "orderId", sample: "ord_1" },
        { from: "input", in: "path", name: "id", sample: "7" },
        { from: "input", in: "body", name: "orderId", sample: "ord_1" },
        { from: "input", in: "body", name: "id", sample: 8 },
      ],
    });
    expect(definition.inputSchema).toMatchObject({
      properties: { orderId: {}, id: {}, id_body: { type: "number", title: "ID (body)" } },
      required: ["orderId", "id", "id_body"],
    });
    expect(definition.examples).toEqual([{ input: { orderId: "ord_1", id: "7", id_body: 8 } }]);
    const ran = await runTool(definition, { orderId: "ord_2", id: "1", id_body: 2 });
    expect(ran.request.url).toBe("https://api.example.com/orders/ord_2/notes/1");
    expect(JSON.parse(ran.body)).toEqual({ orderId: "ord_2", id: 2 });
  });

  it("writes credentials into a path, a query and a form, with the text before them", async () => {
    const { definition } = make({
      method: "POST",
      path: "/bot{segment1}/send",
      body: { kind: "form" },
      fields: [
        { from: "credential", in: "path", name: "segment1", credential: "BOT" },
        { from: "credential", in: "query", name: "key", credential: "KEY", prefix: "v1-" },
        { from: "credential", in: "body", name: "token", credential: "FORM_TOKEN" },
        { from: "fixed", in: "body", name: "a", value: "b c" },
      ],
    });
    expect(definition.credentials.map(({ name }) => name)).toEqual(["BOT", "KEY", "FORM_TOKEN"]);
    const { request, body } = await runTool(definition, {});
    expect(request.url).toMatch(/\/bot[^/]*BOT[^/]*\/send\?key=v1-.*KEY/);
    expect(body).toMatch(/^token=.*FORM_TOKEN.*&a=b%20c$/);
    expect(definition.source.code).toContain("(_input: Input, ctx: Context)");
  });

  it("sends a login of which one part is fixed", () => {
    const { definition } = make({
      fields: [{ from: "login", user: { credential: "API_KEY" }, password: { value: "" } }],
    });
    expect(definition.source.code).toContain(
      `headers.set("authorization", ctx.authorization.basic(ctx.credentials["API_KEY"], ""));`,
    );
    expect(definition.credentials).toMatchObject([{ name: "API_KEY", description: "User name." }]);
  });

  it("sends files and texts of a form", async () => {
    const { definition } = make({
      method: "POST",
      body: { kind: "multipart" },
      fields: [
        { from: "input", in: "file", name: "file" },
        { from: "input", in: "body", name: "note", sample: "hi" },
      ],
    });
    expect(definition.fileFields).toEqual(["file"]);
    const files = { file1: { fileName: "a.txt", mimeType: "text/plain", body: "content" } };
    const { body } = await runTool(definition, { file: "file1", note: "hello" }, { files });
    expect(body).toContain("content");
    expect(body).toContain("hello");
  });

  it("sends a whole body of text", async () => {
    const { definition } = make({
      method: "POST",
      body: { kind: "text", mediaType: "text/csv" },
      fields: [{ from: "input", in: "whole", name: "", sample: "a;b" }],
    });
    const { request, body } = await runTool(definition, { body: "c;d" });
    expect([request.headers.get("content-type"), body]).toEqual(["text/csv", "c;d"]);
  });

  it("writes texts of the request into code as literals only", async () => {
    const text = `"); throw 1; // </script>`;
    const { definition } = make({
      method: "POST",
      title: text,
      path: "/x'+y",
      body: { kind: "json" },
      fields: [
        { from: "fixed", in: "body", name: text, value: { [text]: [text] } },
        { from: "fixed", in: "query", name: text, value: text },
        { from: "input", in: "body", name: "`${1}`", sample: text },
      ],
    });
    const [name = ""] = Object.keys(definition.inputSchema["properties"] as object);
    const { body, request } = await runTool(definition, { [name]: text });
    expect(JSON.parse(body)).toEqual({ [text]: { [text]: [text] }, "`${1}`": text });
    expect(new URL(request.url).searchParams.get(text)).toBe(text);
  });

  it("describes a secret of an unknown value as one", () => {
    const { definition } = make({
      fields: [
        { from: "input", in: "query", name: "session" },
        { from: "input", in: "query", name: "city" },
      ],
    });
    expect(definition.inputSchema["properties"]).toEqual({
      session: { type: "string", format: "password" },
      city: { type: "string" },
    });
    expect(definition.examples).toEqual([]);
  });

  it.each(["/x/{id}", "/x?a=1", "/x/../y"])("refuses the path %s", (path) => {
    expect(() => make({ path })).toThrow("The path is not valid");
  });
});
