import { z } from "zod";

/** The name of a bridge. */
export const bridgeName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
  .meta({ description: "Lowercase letters, digits and hyphens, at most 40." });

/** Body of `POST /bridges`. */
export const connectBridgeInput = z
  .strictObject({ name: bridgeName })
  .meta({ id: "ConnectBridgeInput" });

/** A connection of `toolhost bridge`. */
export const bridge = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: "Bridge", description: "An MCP server on your machine that your tools can call." });
export type Bridge = z.infer<typeof bridge>;

/** Query of `GET /bridges/{id}/calls`. */
export const takeBridgeCallsQuery = z.strictObject({
  received: z.string().max(1_000).optional().meta({
    description: "The IDs of the messages of the last response, separated by commas.",
  }),
});

/** An item of the response of `GET /bridges/{id}/calls`. */
export const bridgeCall = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("call"),
      id: z.string(),
      callId: z.string(),
      request: z.object({
        id: z.union([z.string(), z.number()]),
        method: z.string(),
        params: z.record(z.string(), z.unknown()),
      }),
    }),
    z.object({ kind: z.literal("cancel"), id: z.string(), callId: z.string() }),
  ])
  .meta({ id: "BridgeCall" });
export type BridgeCall = z.infer<typeof bridgeCall>;

/** Body of `PUT /bridges/{id}/calls/{callId}`. */
export const answerBridgeCallInput = z
  .strictObject({
    answer: z.string().meta({ description: "The JSON-RPC response, as text." }),
  })
  .meta({ id: "AnswerBridgeCallInput" });
