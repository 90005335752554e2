import {
  chatConnection,
  chatLink,
  chatPlatformState,
  deadLetter,
  updateChatConnectionInput,
  chatConnectUrl,
  pageQuery,
} from "@toolhost/contract";
import { z } from "zod";
import {
  createInstallLink,
  changeChatConnection,
  disconnectChat,
  listChatConnections,
  listChatLinks,
  listChatPlatforms,
  listDeadLetters,
  removeChatLink,
  requeueDeadLetter,
} from "#core/chat";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Chat";
const inWorkspace = z.object({ id: z.string().meta({ description: "The ID of the workspace." }) });
const ofConnection = inWorkspace.extend({ connectionId: z.string() });

/** Chat teams connected to a workspace, and the accounts linked to their users. */
export const chatRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/chat",
    operation: "listChatConnections",
    tag,
    summary: "List chat connections",
    description: "Returns the chat connections, oldest first. Requires the role admin.",
    scope: "person",
    audit: null,
    params: inWorkspace,
    status: 200,
    response: z.array(chatConnection),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => ({
      body: await listChatConnections(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/chat/platforms",
    operation: "listChatPlatforms",
    tag,
    summary: "List chat platforms",
    description:
      "Returns the supported platforms, and whether this server is configured for each of them. Requires the role admin.",
    scope: "person",
    audit: null,
    params: inWorkspace,
    status: 200,
    response: z.array(chatPlatformState),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params }) => ({
      body: await listChatPlatforms(context, caller, params.id),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/chat/dead-letters",
    operation: "listDeadLetters",
    tag,
    summary: "List dead letters",
    description:
      "Returns the chat messages that could not be processed, newest first and without their text. Requires the role admin.",
    scope: "person",
    audit: null,
    params: inWorkspace,
    query: pageQuery,
    status: 200,
    response: z.array(deadLetter),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { messages, next } = await listDeadLetters(context, caller, params.id, page);
      return { body: messages, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/workspaces/{id}/chat/dead-letters/{messageId}/requeue",
    operation: "requeueDeadLetter",
    tag,
    summary: "Requeue a dead letter",
    description: "The bot processes the message again. Requires the role admin.",
    scope: "person",
    audit: "chat.retry",
    params: inWorkspace.extend({ messageId: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params: { id: workspaceId, messageId } }) => {
      await requeueDeadLetter(context, caller, { workspaceId, messageId });
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/workspaces/{id}/chat/{platform}/connect",
    operation: "connectChat",
    tag,
    summary: "Connect a chat",
    description:
      "Returns a URL to open in your browser within ten minutes, where the platform asks for your consent. Requires the role admin.",
    scope: "person",
    audit: "chat.connect",
    isSecret: true,
    params: inWorkspace.extend({ platform: z.string() }),
    status: 201,
    response: chatConnectUrl,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params: { id: workspaceId, platform } }) => ({
      body: await createInstallLink(context, caller, { workspaceId, platform }),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/workspaces/{id}/chat/{connectionId}",
    operation: "updateChatConnection",
    tag,
    summary: "Update a chat connection",
    description:
      "Changes whether members are recognized by their email address. Requires the role admin.",
    scope: "person",
    audit: "chat.change",
    params: ofConnection,
    body: updateChatConnectionInput,
    status: 200,
    response: chatConnection,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params: { id: workspaceId, connectionId }, body }) => ({
      body: await changeChatConnection(context, caller, { workspaceId, connectionId }, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/workspaces/{id}/chat/{connectionId}",
    operation: "disconnectChat",
    tag,
    summary: "Disconnect a chat",
    description:
      "The bot stops answering there immediately, and the links of the chat users are deleted. Requires the role admin.",
    scope: "person",
    audit: "chat.disconnect",
    params: ofConnection,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden", "unavailable"],
    handle: async ({ context, caller, params: { id: workspaceId, connectionId } }) => {
      await disconnectChat(context, caller, { workspaceId, connectionId });
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/chat-links",
    operation: "listChatLinks",
    tag: "Account",
    summary: "List your chat links",
    description:
      "Returns the chat users linked to your account in all of your workspaces, newest first.",
    scope: "person",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(chatLink),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { links, next } = await listChatLinks(context, caller, page);
      return { body: links, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/chat-links/{linkId}",
    operation: "deleteChatLink",
    tag: "Account",
    summary: "Delete a chat link",
    description: "Deletes the link immediately. Your email address alone does not restore it.",
    scope: "person",
    audit: "chat.unlink",
    params: z.object({ linkId: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found"],
    handle: async ({ context, caller, params }) => {
      await removeChatLink(context, caller, params.linkId);
      return { body: null };
    },
  }),
];
