import { describe, expect, test } from "vitest";
import { needsNode } from "./needs-node.ts";

describe("needsNode", () => {
  test.each([
    'import { createHash } from "node:crypto";',
    "import fs from 'fs';",
    'import { readFile } from "fs/promises";',
    'import "node:timers";',
    'const zlib = await import("node:zlib");',
    'const path = require("path");',
    "export default () => process.uptime();",
    "export default () => Buffer.from([1]).toString('hex');",
  ])("returns true for %s", (code) => {
    expect(needsNode(code)).toBe(true);
  });

  test.each([
    'import { z } from "zod";',
    'import pathOf from "path-of";',
    "// Begin the process. It buffers nothing.",
    'export default async ({ path }) => ({ url: "https://example.com", path: "fs", bufferSize: 1 });',
    "",
  ])("returns false for %s", (code) => {
    expect(needsNode(code)).toBe(false);
  });
});
