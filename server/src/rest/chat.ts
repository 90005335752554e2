import {
  chatConnection,
  chatLink,
  chatPlatformState,
  deadLetter,
  updateChatConnectionInput,
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
import { idOfCursor, linkHeader, pageQuery } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Chat";
const inWorkspace = z.object({ id: z.string().meta({ description: "The workspace's id." }) });
const ofConnection = inWorkspace.extend({ connectionId: z.string() });

/** Teams of chat platforms that are connected to a workspace, and who their users are. */
export const chatRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/chat",
    tag,
    summary: "List the connected chats",
    description: "Oldest first. Needs the role admin.",
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
    tag,
    summary: "List the chat platforms",
    description: "And whether this server is set up for them. Needs the role admin.",
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
    tag,
    summary: "List what chats asked for and got no answer to",
    description: "Newest first; what was said is not shown. Needs the role admin.",
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
    tag,
    summary: "Try again to answer a message",
    description: "Needs the role admin.",
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
    tag,
    summary: "Connect a chat",
    description:
      "Answers an address for your own browser, good for ten minutes: there the platform asks you to agree. Needs the role admin.",
    scope: "person",
    audit: "chat.connect",
    isSecret: true,
    params: inWorkspace.extend({ platform: z.string() }),
    status: 201,
    response: z.object({ url: z.url() }),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params: { id: workspaceId, platform } }) => ({
      body: await createInstallLink(context, caller, { workspaceId, platform }),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/workspaces/{id}/chat/{connectionId}",
    tag,
    summary: "Change how a chat's users are known",
    description: "Needs the role admin.",
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
    tag,
    summary: "Disconnect a chat",
    description:
      "Nothing of the team is heard from the same moment on, and who its users are is forgotten. Needs the role admin.",
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
    tag: "Account",
    summary: "List the chat users that you are",
    description: "In any of your workspaces, newest first.",
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
    tag: "Account",
    summary: "Be a chat user no more",
    description: "Your e-mail address alone does not link you again.",
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
