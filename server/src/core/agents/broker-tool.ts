import { z } from "zod";
import type { JsonObject, MissingCredential, Progress, RunResult, Scope } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import type { LimitState } from "#core/limits";
import { explainIssue } from "#lib/explain-issue";

/** What a broker tool answers: a result, or a failure in words that say what to do next. */
export type BrokerAnswer =
  | {
      isError: false;
      structured: JsonObject;
      /** For readers who see no structure; the structure as JSON by default. */
      text?: string;
    }
  | {
      isError: true;
      text: string;
      /** Credentials that a person has to add, connect or approve first. */
      missing?: readonly MissingCredential[];
      /** The same by its parts, for programs that show it to people. */
      details?: JsonObject;
    };

/** How the one who asks follows what goes on. */
export type BrokerHooks = {
  /** Ends the wait, and the run that was begun for it. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Told where the caller stands with the limits on runs. */
  noteLimits?: ((state: LimitState) => void) | undefined;
  /** Runs a tool in the place of `runTool`, for one who has more to say on whether and how often it runs. */
  run?: ((asked: { toolName: string; input: JsonObject }) => Promise<RunResult>) | undefined;
};

/** A tool that agents always see, whatever tools a workspace has. */
export type BrokerTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: JsonObject;
  /** What the caller must be allowed. */
  scope: Scope;
  parse: (args: unknown) => z.ZodSafeParseResult<unknown>;
  call: (
    context: AgentsContext,
    caller: Caller,
    args: never,
    hooks: BrokerHooks,
  ) => Promise<BrokerAnswer>;
};

type Declaration<Input extends z.ZodObject> = Pick<
  BrokerTool,
  "name" | "title" | "description" | "scope"
> & {
  input: Input;
  output: z.ZodObject;
  annotations: {
    readOnly: boolean;
    destructive?: boolean;
    idempotent: boolean;
    openWorld: boolean;
  };
  call: (
    context: AgentsContext,
    caller: Caller,
    args: z.output<Input>,
    hooks: BrokerHooks,
  ) => Promise<BrokerAnswer>;
};

/** Declares a broker tool; its schemas are made from what checks its arguments. */
export function defineBrokerTool<Input extends z.ZodObject>(
  declaration: Declaration<Input>,
): BrokerTool {
  const { name, title, description, scope, input, output, annotations, call } = declaration;
  const { readOnly, destructive = false, idempotent, openWorld } = annotations;
  return {
    name,
    title,
    description,
    scope,
    inputSchema: toJsonSchema(input),
    outputSchema: toJsonSchema(output),
    annotations: {
      title,
      readOnlyHint: readOnly,
      // Says nothing of a tool that only reads.
      ...(readOnly ? {} : { destructiveHint: destructive }),
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
    parse: (args) => input.safeParse(args, { error: explainIssue }),
    call,
  };
}

/** As hosts of every kind take it: no dialect named, nothing beyond types, bounds and descriptions. */
function toJsonSchema(shape: z.ZodObject): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: "input",
    override: ({ jsonSchema }) => {
      const { properties } = jsonSchema;
      if (properties === undefined || Object.keys(properties).length > 0) return;
      delete jsonSchema.properties;
      jsonSchema.additionalProperties = true;
    },
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** An object whose fields are not ours to know. */
export function anyObject(description: string) {
  return z.looseObject({}).meta({ description });
}
