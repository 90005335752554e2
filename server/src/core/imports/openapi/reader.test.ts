import { afterEach, describe, expect, it } from "vitest";
import { monitorLoop } from "#lib/event-loop";
import { documentOf } from "#testing/imports/generated-tool";
import { createValidation } from "../../validation/index.ts";
import { OpenApiError } from "./errors.ts";
import { createOpenApiReader } from "./reader.ts";

const validation = createValidation({ size: 1, jobCpuMs: 2_000, cpuMsPerMinute: 0 });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function createReader(settings: Partial<Parameters<typeof createOpenApiReader>[0]> = {}) {
  const reader = createOpenApiReader({
    checkDefinition: (...definition) => validation.checkDefinition(...definition),
    ...settings,
  });
  stops.push(() => reader.stop());
  return reader;
}

const ok = { responses: { 200: { description: "OK" } } };
const parameter = (schema: object) => ({ name: "a", in: "query", required: true, schema });
const pets = documentOf({
  "/pets": {
    get: { ...ok, parameters: [parameter({ type: "integer", examples: ["one"] })] },
    post: { ...ok, parameters: [parameter({ type: "integer", examples: [1] })] },
  },
});

/** A document that takes long: large schemas that every operation uses. */
function slowDocument(operations: number): Buffer {
  const leaf = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [
        `property_${at}`,
        { type: "string", description: "x".repeat(40) },
      ]),
    ),
  };
  const requestBody = {
    content: {
      "application/json": {
        schema: { type: "object", properties: { a: { $ref: "#/components/schemas/Leaf" } } },
      },
    },
  };
  return documentOf(
    Object.fromEntries(
      Array.from({ length: operations }, (_, at) => [`/p${at}`, { post: { ...ok, requestBody } }]),
    ),
    { components: { schemas: { Leaf: leaf } } },
  );
}

describe("createOpenApiReader", () => {
  it("lists operations and makes tools, without examples that do not match", async () => {
    const reader = createReader();
    const { operations } = await reader.readDocument("workspace", pets);
    expect(operations.map(({ key }) => key)).toEqual(["GET /pets", "POST /pets"]);
    const keys = [...operations.map(({ key }) => key), "GET /none"];
    const { tools, skipped } = await reader.generateTools("workspace", pets.toString(), { keys });
    expect(tools.map(({ definition }) => definition.examples)).toEqual([[], [{ input: { a: 1 } }]]);
    expect(tools.map(({ hash }) => hash)).toEqual(operations.map(({ hash }) => hash));
    expect(skipped).toEqual([
      { key: "GET /none", reason: "The document does not contain this operation." },
    ]);
  });

  it("passes on why a document is refused", async () => {
    const refused = createReader().readDocument("workspace", "swagger: '1.2'");
    await expect(refused).rejects.toMatchObject({
      name: "OpenApiError",
      code: "unsupported_format",
      message: expect.stringContaining("Convert the document") as string,
    });
    await expect(
      createReader().generateTools("workspace", pets, {
        keys: Array.from({ length: 501 }, String),
      }),
    ).rejects.toMatchObject({ code: "invalid_options" });
  });

  it("refuses more than 20 MB without a process", async () => {
    const reader = createReader();
    await expect(
      reader.readDocument("workspace", " ".repeat(20 * 1024 * 1024 + 1)),
    ).rejects.toMatchObject({ code: "too_large" });
    expect(reader.stats().processes).toBe(0);
  });

  it("kills a process that uses too much CPU time, and reads the next document", async () => {
    const reader = createReader({ jobCpuMs: 1_000 });
    await expect(reader.readDocument("workspace", slowDocument(3_000))).rejects.toMatchObject({
      code: "too_complex",
      message: expect.stringContaining("too much time or memory") as string,
    });
    expect((await reader.readDocument("workspace", pets)).operations).toHaveLength(2);
    expect(reader.stats().stopped).toBe(1);
  });

  it("survives a process that runs out of memory", async () => {
    const reader = createReader({ memoryMb: 40 });
    const text = `{"openapi":"3.1.0","x":[${'{"a":[]},'.repeat(1_000_000)}{}]}`;
    await expect(reader.readDocument("workspace", text)).rejects.toMatchObject({
      code: "too_complex",
    });
    expect((await reader.readDocument("workspace", pets)).operations).toHaveLength(2);
  });

  it("limits the CPU time of a workspace, and not that of others", async () => {
    const reader = createReader({ cpuMsPerMinute: 1 });
    await reader.readDocument("greedy", pets);
    const refused = await reader.readDocument("greedy", pets).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenApiError);
    expect(refused).toMatchObject({
      code: "busy",
      retryAfterSeconds: expect.any(Number) as number,
    });
    expect((await reader.readDocument("other", pets)).operations).toHaveLength(2);
  });

  it("does not block the event loop with a large document", async () => {
    const reader = createReader();
    const paths = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, at) => [
        `/p${at}`,
        { get: { ...ok, description: "x".repeat(4_000) } },
      ]),
    );
    const document = documentOf(paths);
    expect(document.length).toBeGreaterThan(15 * 1024 * 1024);
    let maxPauseMs = 0;
    const monitor = monitorLoop(({ delayMs, cpuMs }) => {
      maxPauseMs = Math.max(maxPauseMs, Math.min(delayMs, cpuMs));
    });
    const { operations } = await reader.readDocument("workspace", document);
    monitor.stop();
    expect(operations).toHaveLength(4_000);
    expect(maxPauseMs).toBeLessThan(50);
  });
});
