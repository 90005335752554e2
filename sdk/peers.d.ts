// The parts of the agent frameworks that the adapters use, which are too large to install here. The tests in `compatibility/`
// check the adapters with the real packages.

declare module "@langchain/core/tools" {
  export class DynamicStructuredTool {
    constructor(fields: {
      name: string;
      description: string;
      schema: Record<string, unknown>;
      metadata: Record<string, unknown>;
      func(input: unknown, manager: unknown, config?: { signal?: AbortSignal }): Promise<string>;
    });
  }
}

declare module "@openai/agents" {
  type Parameters = {
    type: "object";
    properties: Record<string, object>;
    required: string[];
    additionalProperties: true;
  };
  export type FunctionTool = { type: "function"; name: string };
  export function tool(options: {
    name: string;
    description: string;
    strict: false;
    parameters: Parameters;
    needsApproval: boolean;
    execute(input: unknown, context?: unknown, details?: { signal?: AbortSignal }): unknown;
    errorFunction(context: unknown, error: unknown): string;
  }): FunctionTool;
}

declare module "@mastra/core/tools" {
  export type Tool = { id: string };
  export function createTool(options: {
    id: string;
    description: string;
    inputSchema: Record<string, unknown>;
    requireApproval: boolean;
    execute(input: unknown, context?: { abortSignal?: AbortSignal }): Promise<unknown>;
  }): Tool;
}
