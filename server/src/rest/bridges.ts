import {
  answerBridgeCallInput,
  bridge,
  bridgeCall,
  connectBridgeInput,
  takeBridgeCallsQuery,
} from "@toolhost/contract";
import { z } from "zod";
import { answerBridgeCall, connectBridge, disconnectBridge, takeBridgeCalls } from "#core/runs";
import { defineRoute } from "./route.ts";

const tag = "Imports";
const ofBridge = z.object({ id: z.string().meta({ description: "The ID of the bridge." }) });

/** Bridges to MCP servers on users' machines, for the command line. */
export const bridgeRoutes = [
  defineRoute({
    method: "post",
    path: "/bridges",
    operation: "connectBridge",
    tag,
    summary: "Connect a bridge",
    description:
      "For `toolhost bridge`. Replaces your bridge of the same name. Only tools that you import from `bridge:NAME`, and that you run, can call it.",
    scope: "tools:write",
    audit: "bridge.connect",
    body: connectBridgeInput,
    status: 201,
    response: bridge,
    errors: ["quota_exceeded"],
    handle: async ({ context, caller, body }) => ({
      body: await connectBridge(context, caller, body),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/bridges/{id}/calls",
    operation: "takeBridgeCalls",
    tag,
    summary: "Wait for calls of a bridge",
    description:
      "Waits up to 20 seconds. Returns messages again until you send their IDs as `received`, in case a response was lost.",
    scope: "tools:write",
    audit: null,
    params: ofBridge,
    query: takeBridgeCallsQuery,
    status: 200,
    response: z.array(bridgeCall),
    errors: ["not_found"],
    handle: async ({ context, caller, params: { id }, query: { received = "" }, ...request }) => ({
      body: await takeBridgeCalls(context, caller, { id, received: received.split(",") }, request),
    }),
  }),
  defineRoute({
    method: "put",
    path: "/bridges/{id}/calls/{callId}",
    operation: "answerBridgeCall",
    tag,
    summary: "Answer a call of a bridge",
    scope: "tools:write",
    audit: "private",
    params: ofBridge.extend({
      callId: z.string().max(64).meta({ description: "The ID of the call." }),
    }),
    body: answerBridgeCallInput,
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params: { id, callId }, body: { answer } }) => {
      await answerBridgeCall(context, caller, id, { callId, answer });
      return { body: null };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/bridges/{id}",
    operation: "disconnectBridge",
    tag,
    summary: "Disconnect a bridge",
    description: "Its imports stay, and work again when a bridge of the same name connects.",
    scope: "tools:write",
    audit: "bridge.disconnect",
    params: ofBridge,
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await disconnectBridge(context, caller, params.id);
      return { body: null };
    },
  }),
];
