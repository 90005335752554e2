import { describe, expect, it } from "vitest";
import { prepareSpec } from "./prepare-spec.ts";

const spec = {
  openapi: "3.1.1",
  servers: [{ url: "https://elsewhere.example/api/v1" }],
  security: [{ apiKey: [] }],
  components: { schemas: { Tool: {} }, securitySchemes: { apiKey: {} } },
  paths: {
    "/tools": {
      get: {
        summary: "List",
        responses: {
          200: { description: "Success.", content: { "application/json": {} } },
          404: { description: "Gone.", content: { "application/problem+json": {} } },
        },
      },
      post: {
        summary: "Make",
        parameters: [
          { name: "Idempotency-Key", in: "header", required: true, description: "A UUID." },
          { name: "other", in: "query", required: true },
        ],
      },
    },
  },
};

describe("prepareSpec", () => {
  it("targets the page's origin, drops authentication, and removes the bodies of errors", () => {
    const prepared = prepareSpec(spec, "http://localhost:3000");
    expect(prepared).toEqual({
      openapi: "3.1.1",
      servers: [{ url: "http://localhost:3000/api/v1" }],
      components: { schemas: { Tool: {} } },
      paths: {
        "/tools": {
          get: {
            summary: "List",
            responses: {
              200: { description: "Success.", content: { "application/json": {} } },
              404: { description: "Gone." },
            },
          },
          post: {
            summary: "Make",
            responses: {},
            parameters: [
              {
                name: "Idempotency-Key",
                in: "header",
                required: false,
                description: "A new UUID v4 for each request. If empty, the page generates one.",
              },
              { name: "other", in: "query", required: true },
            ],
          },
        },
      },
    });
  });
});
