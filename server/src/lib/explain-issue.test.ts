import { expect, it } from "vitest";
import { z } from "zod";
import { explainIssue } from "./explain-issue.ts";

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: explainIssue }).error?.issues.map(({ message }) => message);

it.each([
  [z.string().min(4), "abc", "must have at least 4 characters"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().max(2), "abc", "must have at most 2 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 item"],
  [z.int().min(3), 1, "must be at least 3"],
  [z.number().lt(3), 3, "must be less than 3"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.strictObject({}), [], "must be an object"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal("a"), "c", "must be a"],
  [z.email(), "a", "must be an email address"],
  [z.union([z.string(), z.number()]), true, "is not valid"],
  [z.union([z.string().min(1), z.array(z.string())]), "", "must not be empty"],
  [z.union([z.string(), z.array(z.string()).max(1)]), ["a", "b"], "must have at most 1 item"],
  [z.union([z.string(), z.array(z.string())]), [1], "is not valid"],
  [
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b") }),
    ]),
    { kind: "c" },
    "must be one of a, b",
  ],
  [z.string(), undefined, "is required"],
  [z.enum(["a", "b"]), undefined, "is required"],
  [z.string().regex(/a/, "must have an a"), "b", "must have an a"],
])("explains %o in plain words (%#)", (schema, value, message) => {
  expect(messageOf(schema, value)).toEqual([message]);
});
