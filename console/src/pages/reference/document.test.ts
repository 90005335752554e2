import { describe, expect, it } from "vitest";
import { findOperations, readDocument } from "./document.ts";

const root = {
  openapi: "3.1.1",
  paths: {
    "/tools/{name}": {
      parameters: [],
      get: {
        operationId: "getTool",
        tags: ["Tools"],
        summary: "Get a tool",
        parameters: [
          { name: "name", in: "path", required: true, schema: { type: "string" } },
          { name: "session", in: "cookie" },
          "no object",
        ],
        responses: {
          200: {
            description: "Success.",
            headers: { ETag: { description: "The hash." } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Tool" } } },
          },
          403: { description: "`insufficient_scope`: Insufficient scope. `forbidden`: Denied." },
        },
      },
      delete: { operationId: "archiveTool", tags: ["Tools"], security: [{ session: [] }] },
    },
    "/install": { get: { summary: "Get install guides", security: [] } },
  },
  webhooks: { event: { post: { operationId: "receive", tags: ["Webhooks"] } } },
};

describe("readDocument", () => {
  it("reads operations with their parameters, responses and errors", () => {
    const [first] = readDocument(root).operations;
    expect(first).toMatchObject({
      id: "getTool",
      method: "GET",
      access: "key",
      parameters: [{ name: "name", place: "path", isRequired: true }],
      answers: [{ status: "200", headers: [{ name: "ETag", description: "The hash." }] }],
      errors: [
        { status: "403", code: "insufficient_scope", title: "Insufficient scope" },
        { status: "403", code: "forbidden", title: "Denied" },
      ],
    });
  });

  it("distinguishes who may call an operation", () => {
    const { operations } = readDocument(root);
    expect(operations.map(({ id, access }) => [id, access])).toEqual([
      ["getTool", "key"],
      ["archiveTool", "session"],
      ["get /install", "none"],
      ["receive", "webhook"],
    ]);
  });

  it("accepts a document of any shape", () => {
    const broken = {
      paths: { "/a": { get: 3, post: { parameters: {}, responses: [], tags: [7] } } },
    };
    expect(readDocument({}).operations).toEqual([]);
    expect(readDocument(broken).operations).toMatchObject([{ id: "post /a", tag: "", errors: [] }]);
  });
});

describe("findOperations", () => {
  it("finds operations that contain every word, by tag", () => {
    const { operations } = readDocument(root);
    const found = (words: string) =>
      [...findOperations(operations, words)].map(([tag, all]) => [tag, all.map(({ id }) => id)]);
    expect(found("TOOL get")).toEqual([["Tools", ["getTool"]]]);
    expect(found("delete /tools")).toEqual([["Tools", ["archiveTool"]]]);
    expect(found("no such")).toEqual([]);
    expect(found(" ")).toHaveLength(3);
  });
});
