import { describe, expect, it } from "vitest";
import { z } from "zod";
import { routes } from "./index.ts";
import { describeApi } from "./openapi.ts";
import { createSchemaCollector } from "./schema-collector.ts";

describe("createSchemaCollector", () => {
  const limits = z.object({ id: z.string() }).meta({ id: "Limits" });
  const schema = z
    .object({
      default: z.string().default("x").describe("A name."),
      any: z.json(),
      limits: limits.optional().describe("What is allowed."),
    })
    .meta({ id: "Thing" });

  it("describes a default of a request instead of stating it, so that clients may leave the field out", () => {
    const collector = createSchemaCollector();
    expect(collector.add(schema, "input")).toEqual({ $ref: "#/components/schemas/ThingInput" });
    expect(collector.components["ThingInput"]).toMatchObject({
      properties: {
        default: { type: "string", description: 'A name. Default: `"x"`.' },
        any: {},
        limits: { $ref: "#/components/schemas/LimitsInput", description: "What is allowed." },
      },
      required: ["any"],
    });
    expect(collector.components["LimitsInput"]).toMatchObject({
      properties: { id: { type: "string" } },
    });
  });

  it("states a default of a response and of a parameter", () => {
    const collector = createSchemaCollector();
    collector.add(schema, "output");
    expect(collector.components["Thing"]).toMatchObject({
      properties: { default: { default: "x" } },
      required: ["default", "any"],
    });
    expect(collector.inline(z.number().default(5))).toEqual({ type: "number", default: 5 });
  });
});

describe("the OpenAPI document", () => {
  it("gives each operation a name of its own that starts with a verb", () => {
    const names = routes.map(({ operation }) => operation);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]*)+$/);
  });

  it("has no reference to a schema that it does not contain", () => {
    const document = describeApi(routes, "http://localhost");
    const text = JSON.stringify(document);
    const referenced = Array.from(
      text.matchAll(/"#\/components\/schemas\/([^"]+)"/g),
      ([, name]) => name,
    );
    const { schemas } = document["components"] as { schemas: object };
    expect(referenced.filter((name) => !Object.hasOwn(schemas, name ?? ""))).toEqual([]);
  });
});
