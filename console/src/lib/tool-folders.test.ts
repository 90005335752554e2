import type { ToolDetail } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { folderNames, toArchive, toFolder } from "./tool-folders.ts";

const tool = {
  name: "orders_k3x9",
  title: "Orders",
  description: "Finds orders.",
  inputSchema: { type: "object", properties: {}, required: [] },
  outputSchema: { properties: [] },
  fileFields: [],
  credentials: [],
  allowedHosts: ["api.example.com"],
  timeoutMs: 900_000,
  limits: {},
  isolation: "reuse",
  idempotent: false,
  confirm: false,
  visibility: "workspace",
  examples: [{ input: {} }],
  source: { language: "typescript", code: "export default () => ({ ä: 1 });\n" },
} as unknown as ToolDetail;

describe("toFolder", () => {
  it("writes the code and the settings without defaults", () => {
    const [settings, code] = toFolder(tool, "orders");
    expect(code).toEqual({
      path: "tools/orders/tool.ts",
      text: "export default () => ({ ä: 1 });\n",
    });
    expect(JSON.parse(settings?.text ?? "")).toEqual({
      $schema: "../../.toolhost/tool.schema.json",
      title: "Orders",
      description: "Finds orders.",
      inputSchema: { type: "object", properties: {}, required: [] },
      allowedHosts: ["api.example.com"],
      examples: [{ input: {} }],
      source: { language: "typescript" },
    });
  });
});

describe("toArchive", () => {
  it("creates a compressed archive with names, sizes and checksums of files", async () => {
    const archive = await toArchive([tool]);
    const unpacked = archive.stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
    const text = (from: number, length: number) =>
      new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/[\0 ]+$/, "");
    const names: string[] = [];
    let at = 0;
    while (text(at, 100) !== "") {
      const header = bytes.slice(at, at + 512);
      header.fill(32, 148, 156);
      const sum = header.reduce((total, byte) => total + byte, 0);
      expect(Number.parseInt(text(at + 148, 6), 8)).toBe(sum);
      const size = Number.parseInt(text(at + 124, 11), 8);
      names.push(`${text(at, 100)} ${text(at + 512, 16)}`);
      at += 512 + Math.ceil(size / 512) * 512;
    }
    expect(names).toEqual([
      'tools/orders/tool.json {\n  "$schema": "',
      "tools/orders/tool.ts export default (",
    ]);
    expect(bytes.length).toBe(at + 1024);
  });
});

describe("folderNames", () => {
  it("keeps the suffix where two tools have the same name without it", () => {
    expect([...folderNames(["a_1111", "b_2222", "a_3333"]).values()]).toEqual([
      "a_1111",
      "b",
      "a_3333",
    ]);
  });
});
