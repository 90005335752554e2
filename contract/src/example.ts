import { z } from "zod";
import { jsonObject } from "./json-object.ts";

/** Limits of examples: lengths in characters, and counts. */
export const exampleLimits = {
  name: 80,
  pattern: 200,
  path: 200,
  /** Files are part of each version. */
  files: 4,
  fileBase64: 32 * 1024,
  results: 20,
  /** How many results are stored. */
  history: 5,
} as const;

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // PostgreSQL rejects NUL.
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line without control characters");

/** What a run with the input of an example must end with. */
export const exampleExpectation = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.literal("subset") })
      .meta({ description: "The output has everything that `output` has, and may have more." }),
    z
      .strictObject({ type: z.literal("equal") })
      .meta({ description: "The output equals `output`. IDs and URLs of files are not compared." }),
    z.strictObject({ type: z.literal("snapshot") }).meta({
      description:
        "Like `equal`. `output` is what an earlier run returned; without one, any output passes and can be stored.",
    }),
    z
      .strictObject({ type: z.literal("schema"), schema: jsonObject })
      .meta({ description: "The output matches a JSON Schema." }),
    z
      .strictObject({
        type: z.literal("pattern"),
        path: z
          .string()
          .max(exampleLimits.path)
          .regex(/^(?:\/[^\p{Cc}\p{Cs}]*)?$/u, 'must be a JSON Pointer such as "/items/0/name"'),
        pattern: text(exampleLimits.pattern),
      })
      .meta({
        description:
          "The value at the JSON Pointer `path` matches a regular expression. A value that is not text is compared as JSON.",
      }),
    z
      .strictObject({ type: z.literal("failure"), code: text(64) })
      .meta({ description: "The run fails with this error code, for example `tool_error`." }),
  ])
  .meta({
    id: "ExampleExpectation",
    description:
      "What a run with the input must end with. Without it, the run must complete with everything that `output` has.",
  });
export type ExampleExpectation = z.infer<typeof exampleExpectation>;

const exampleFile = z
  .strictObject({
    fileName: text(200),
    mimeType: z
      .string()
      .max(100)
      .regex(/^[a-z]+\/[\w.+-]+$/i, "must be a MIME type"),
    contentBase64: z.base64().max(exampleLimits.fileBase64),
  })
  .meta({ id: "ExampleFile" });

/** An input with what the tool makes of it: for readers of the documentation, and for checks before publishing. */
export const example = z
  .strictObject({
    name: text(exampleLimits.name).optional(),
    input: jsonObject,
    output: jsonObject.optional(),
    expect: exampleExpectation.optional(),
    files: z.record(z.string().max(200), exampleFile).optional().meta({
      description:
        "Small files, by file field. Who runs the example uploads them, and sends their IDs instead of those in `input`.",
    }),
  })
  .refine(({ files = {} }) => Object.keys(files).length <= exampleLimits.files, {
    path: ["files"],
    error: `must have at most ${exampleLimits.files} files`,
  })
  .refine(
    ({ output, expect }) =>
      output !== undefined || (expect?.type !== "equal" && expect?.type !== "subset"),
    { path: ["output"], error: "is required by the expectation" },
  )
  .meta({ id: "ToolExample" });
export type ToolExample = z.infer<typeof example>;

const exampleResult = z
  .strictObject({
    example: z.int().min(0).max(exampleLimits.results).meta({ description: "Its index." }),
    status: z.enum(["passed", "failed", "skipped"]),
    runId: z.uuid().optional(),
    durationMs: z.int().min(0).optional(),
    message: z.string().max(300).optional(),
  })
  .meta({ id: "ExampleResult" });
export type ExampleResult = z.infer<typeof exampleResult>;

/** Body of `PUT /drafts/{id}/example-results`. */
export const createExampleResultsInput = z
  .strictObject({
    revision: z.int().min(1).meta({ description: "The revision of the draft that was run." }),
    results: z.array(exampleResult).min(1).max(exampleLimits.results),
  })
  .meta({ id: "CreateExampleResultsInput" });
export type CreateExampleResultsInput = z.infer<typeof createExampleResultsInput>;

/** The results of running all examples once. */
export const exampleResults = z
  .object({
    revision: z.int(),
    at: z.iso.datetime(),
    passed: z.int(),
    failed: z.int(),
    skipped: z.int(),
    results: z.array(exampleResult),
  })
  .meta({
    id: "ExampleResults",
    description: "The results of running all examples once, as the client that ran them reported.",
  });
export type ExampleResults = z.infer<typeof exampleResults>;
