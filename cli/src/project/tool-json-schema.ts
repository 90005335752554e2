import { createToolInput } from "@toolhost/contract";
import { z } from "zod";

/** The JSON Schema of `tool.json`: the body of `POST /tools`, whose code is in a file of its own. */
export function toolJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(createToolInput, { io: "input", unrepresentable: "any" });
  const {
    properties = {},
    $defs = {},
    ...rest
  } = schema as Record<string, Record<string, unknown>>;
  for (const definition of [properties["source"], $defs["ToolSource"]]) {
    if (typeof definition !== "object" || definition === null) continue;
    const source = definition as { properties?: Record<string, unknown>; required?: string[] };
    delete source.properties?.["code"];
    if (source.required !== undefined) {
      source.required = source.required.filter((name) => name !== "code");
    }
  }
  return {
    ...rest,
    title: "A tool of Toolhost",
    properties: { $schema: { type: "string" }, ...properties },
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
}
