import type { JsonObject } from "@toolhost/contract";

const text = { type: "string" };

/** The input schemas of the fixture tools that have arguments. */
export const schemas: Readonly<Record<string, JsonObject>> = {
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: text, city: text },
      },
    },
    properties: {
      name: text,
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: text,
      email: text,
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // A keyword of JSON Schema.
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
  test_sampling: { type: "object", properties: { prompt: text }, required: ["prompt"] },
  test_elicitation: { type: "object", properties: { message: text }, required: ["message"] },
  test_x_mcp_header: {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
    required: ["region"],
  },
};
