import { z } from "zod";
import type { JsonObject, MissingCredential, Progress, RunResult, Scope } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { brokerNames } from "./broker-names.ts";
import type { SavedFile } from "./saved-files.ts";
import type { AgentsContext } from "./context.ts";
import type { LimitState } from "#core/limits";
import { explainIssue } from "#lib/explain-issue";

/** Result of a broker tool: a success, or a failure whose text says what to do next. */
export type BrokerAnswer =
  | {
      isError: false;
      structured: JsonObject;
      /** For clients that do not read `structuredContent`; defaults to the structure as JSON. */
      text?: string;
      /** Files that the run saved. */
      files?: readonly SavedFile[];
    }
  | {
      isError: true;
      text: string;
      /** Credentials that a user has to add, connect or approve first. */
      missing?: readonly MissingCredential[];
      /** The same failure in structured form, for programs that display it. */
      details?: JsonObject;
    };

/** Callbacks and signals with which the caller follows a call. */
export type BrokerHooks = {
  /** Ends the wait, and cancels the run that the call started. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives the caller's state under the run limits. */
  noteLimits?: ((state: LimitState) => void) | undefined;
  /** Replaces `runTool`, for callers that decide themselves whether and how often a tool runs. */
  run?: ((asked: { toolName: string; input: JsonObject }) => Promise<RunResult>) | undefined;
};

/** A tool that agents always see, regardless of the tools of the workspace. */
export type BrokerTool = {
  name: (typeof brokerNames)[number];
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: JsonObject;
  /** The scope that the caller needs. */
  scope: Scope;
  /** Names that agents guess for an argument, with the argument's name. */
  aliases: Readonly<Record<string, string>>;
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
  /** A strict object, so that agents learn of a mistyped argument. */
  input: Input;
  output: z.ZodObject;
  aliases?: Readonly<Record<string, string>>;
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

/** Declares a broker tool, deriving its JSON Schemas from the zod schemas that validate it. */
export function defineBrokerTool<Input extends z.ZodObject>(
  declaration: Declaration<Input>,
): BrokerTool {
  const { name, title, description, scope, input, output, annotations, aliases, call } =
    declaration;
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
      // `destructiveHint` has no meaning for a read-only tool.
      ...(readOnly ? {} : { destructiveHint: destructive }),
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
    aliases: aliases ?? {},
    parse: (args) => input.safeParse(args, { error: explainIssue }),
    call,
  };
}

/**
 * Omits `$schema` and everything but types, bounds and descriptions, so that every MCP host accepts it, and bounds that no
 * agent comes near, since an agent reads the schemas in each conversation.
 */
function toJsonSchema(shape: z.ZodObject): JsonObject {
  // Unknown arguments are refused with an explanation, so that the schema need not exclude them.
  const {
    $schema: _,
    additionalProperties: __,
    ...schema
  } = z.toJSONSchema(shape, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.maxLength;
      delete jsonSchema.minLength;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      const { properties } = jsonSchema;
      if (properties === undefined || Object.keys(properties).length > 0) return;
      delete jsonSchema.properties;
      jsonSchema.additionalProperties = true;
    },
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** An object with arbitrary fields. */
export function anyObject(description?: string) {
  const shape = z.looseObject({});
  return description === undefined ? shape : shape.meta({ description });
}
