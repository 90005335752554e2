import { toolTypes } from "@toolhost/tool-schema";
import type { JsonObject } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { createCompiler } from "./compiler/create-compiler.ts";
import { missingMember } from "./missing-member.ts";

const check = (code: string, inputSchema: JsonObject) => {
  const types = toolTypes({
    inputSchema,
    outputSchema: { properties: [] },
  });
  const files = new Map([
    ["tool-types.d.ts", types],
    ["tool.ts", code],
  ]);
  const service = createCompiler(
    files,
    { lib: ["lib.esnext.d.ts", "lib.webworker.d.ts"] },
    () => "1",
  );
  return service.getSemanticDiagnostics("tool.ts").map((found) => {
    const text = found.messageText;
    const message =
      typeof text === "string" ? text : String(Reflect.get(Object(text), "messageText"));
    return missingMember(String(Reflect.get(found, "code")), message);
  });
};
const orders = {
  type: "object",
  properties: { order: { type: "string" } },
  additionalProperties: false,
};

describe("missingMember", { timeout: 30_000 }, () => {
  it("finds members that the generated input type does not have", () => {
    const code =
      "export default ({ customer }: Input, ctx: Context) => ({ customer }); export const f = (input: Input) => [input.orderId, input.orders];";
    expect(check(code, orders)).toEqual(["customer", "orderId", "orders"]);
  });

  it("ignores other problems", () => {
    const code = "export default (input: Input) => ({ a: 'x'.orderId, b: missing });";
    expect(check(code, orders)).toEqual([undefined, undefined]);
  });
});
