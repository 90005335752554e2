import { z } from "zod";
import { jsonObject } from "./json-object.ts";

/** Bounds of a question. The schema is measured as JSON text. */
export const questionLimits = { message: 2_000, schema: 8_192, fields: 30 } as const;

const about = { title: z.string().optional(), description: z.string().optional() };
const count = z.int().min(0).optional();
const choices = z.array(z.string()).min(1);
const titledChoices = z.array(z.object({ const: z.string(), title: z.string() })).min(1);

const textField = z.object({
  type: z.literal("string"),
  ...about,
  minLength: count,
  maxLength: count,
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  default: z.string().optional(),
});
const numberField = z.object({
  type: z.enum(["number", "integer"]),
  ...about,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
const booleanField = z.object({
  type: z.literal("boolean"),
  ...about,
  default: z.boolean().optional(),
});
const choiceField = z.object({
  type: z.literal("string"),
  ...about,
  enum: choices,
  /** Titles of the choices in older revisions of MCP. */
  enumNames: z.array(z.string()).optional(),
  default: z.string().optional(),
});
const titledChoiceField = z.object({
  type: z.literal("string"),
  ...about,
  oneOf: titledChoices,
  default: z.string().optional(),
});
const choicesField = z.object({
  type: z.literal("array"),
  ...about,
  items: z.union([
    z.object({ type: z.literal("string"), enum: choices }),
    z.object({ anyOf: titledChoices }),
  ]),
  minItems: count,
  maxItems: count,
  default: z.array(z.string()).optional(),
});

/**
 * The schema of a question: a flat form, as MCP defines it for elicitation (2025-11-25). Other keywords are ignored, but a field of
 * another type is invalid.
 */
export const formSchema = z.object({
  type: z.literal("object"),
  properties: z.record(
    z.string().min(1).max(100),
    z.union([
      choiceField,
      titledChoiceField,
      choicesField,
      booleanField,
      numberField,
      // Last, because it would also accept a choice without its values.
      textField,
    ]),
  ),
  required: z.array(z.string()).optional(),
});
export type FormSchema = z.infer<typeof formSchema>;

/** A question of a running tool. */
export const question = z
  .object({
    id: z.string(),
    message: z.string().meta({ description: "Written by the tool: untrusted text." }),
    schema: jsonObject.meta({ description: "JSON Schema of the answer: a flat form." }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Question", description: "A question that a running tool asks its user." });
export type Question = z.infer<typeof question>;

const answerFields = z.record(
  z.string().max(100),
  z.union([
    z.string().max(10_000),
    z.number(),
    z.boolean(),
    z.array(z.string().max(1_000)).max(1_000),
  ]),
);

/** `z.record` would drop `__proto__`, which no form has, instead of refusing it. */
const answerContent = z.preprocess((value, context) => {
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
    context.addIssue({ code: "custom", path: ["__proto__"], message: "is not a field" });
  }
  return value;
}, answerFields) as z.ZodType<z.output<typeof answerFields>, z.input<typeof answerFields>>;

/** Body of `POST /runs/:runId/answers`. */
export const answerQuestionInput = z
  .object({
    questionId: z.string().max(100),
    action: z.enum(["accept", "decline", "cancel"]),
    content: answerContent
      .optional()
      .meta({ description: "For `accept`: the values, which must match the question's schema." }),
  })
  .meta({ id: "AnswerQuestionInput", description: "An answer to a question of a run." });
export type AnswerQuestionInput = z.infer<typeof answerQuestionInput>;

/** The answer as the tool receives it. */
export type Answer =
  | { action: "accept"; content: z.infer<typeof answerContent> }
  | { action: "decline" }
  | { action: "cancel" };
