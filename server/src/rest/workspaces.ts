import {
  acceptedInvitation,
  createdInvitation,
  createInvitationInput,
  member,
  updateMemberInput,
  pageQuery,
  workspace,
  deleteWorkspaceInput,
  createWorkspaceInput,
  invitation,
  transferWorkspaceInput,
} from "@toolhost/contract";
import { z } from "zod";
import {
  acceptInvitation,
  changeRole,
  createInvitation,
  createWorkspace,
  deleteWorkspace,
  listInvitations,
  listMembers,
  listWorkspaces,
  removeMember,
  renameWorkspace,
  revokeInvitation,
  transferWorkspace,
} from "#core/workspaces";
import { cutPage } from "#lib/page";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Workspaces";
const inWorkspace = z.object({ id: z.string().meta({ description: "The ID of the workspace." }) });
const ofMember = inWorkspace.extend({ userId: z.string() });

/** Workspaces, their members and invitations. */
export const workspaceRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces",
    operation: "listWorkspaces",
    tag,
    summary: "List your workspaces",
    scope: "person",
    audit: null,
    query: pageQuery,
    status: 200,
    response: z.array(workspace),
    handle: async ({ context, caller, query: { limit, cursor }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const found = await listWorkspaces(context, caller, page);
      const { shown, next } = cutPage(found, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/workspaces",
    operation: "createWorkspace",
    tag,
    summary: "Create a workspace",
    description: "Creates a workspace that you own.",
    scope: "person",
    audit: "workspace.create",
    body: createWorkspaceInput,
    status: 201,
    response: workspace,
    handle: async ({ context, caller, body }) => ({
      body: await createWorkspace(context, caller, body.name),
    }),
  }),
  defineRoute({
    method: "patch",
    path: "/workspaces/{id}",
    operation: "renameWorkspace",
    tag,
    summary: "Rename a workspace",
    description: "Changes the name only; the ID stays. Requires the role admin.",
    scope: "person",
    audit: "workspace.rename",
    params: inWorkspace,
    body: createWorkspaceInput,
    status: 200,
    response: workspace,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, body }) => ({
      body: await renameWorkspace(context, caller, params.id, body.name),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/workspaces/{id}",
    operation: "deleteWorkspace",
    tag,
    summary: "Delete a workspace",
    description:
      "Requires the role owner. Immediately ends all access, and deletes the keys, apps, credentials, tools and runs of the workspace. Audit events remain until their retention period ends.",
    scope: "person",
    audit: "workspace.delete",
    params: inWorkspace,
    body: deleteWorkspaceInput,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, body }) => {
      await deleteWorkspace(context, caller, params.id, body.name);
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/workspaces/{id}/transfer",
    operation: "transferWorkspace",
    tag,
    summary: "Transfer a workspace",
    description: "Requires the role owner. The member becomes an owner, and you become an admin.",
    scope: "person",
    audit: "workspace.transfer",
    params: inWorkspace,
    body: transferWorkspaceInput,
    status: 200,
    response: member,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params: { id: workspaceId }, body: { userId } }) => ({
      body: await transferWorkspace(context, caller, { workspaceId, userId }),
    }),
  }),
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/members",
    operation: "listMembers",
    tag,
    summary: "List the members of a workspace",
    scope: "person",
    audit: null,
    params: inWorkspace,
    query: pageQuery,
    status: 200,
    response: z.array(member),
    errors: ["not_found"],
    handle: async ({ context, caller, params, query: { limit, cursor }, url }) => {
      const page = { limit, after: idOfCursor(cursor) };
      const { members, next } = await listMembers(context, caller, params.id, page);
      return { body: members, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "patch",
    path: "/workspaces/{id}/members/{userId}",
    operation: "changeMemberRole",
    tag,
    summary: "Change the role of a member",
    description:
      "Requires a role above both the old and the new role; owners can change every role.",
    scope: "person",
    audit: "member.change_role",
    params: ofMember,
    body: updateMemberInput,
    status: 200,
    response: member,
    errors: ["not_found", "forbidden", "last_owner", "unavailable"],
    handle: async ({ context, caller, params: { id: workspaceId, userId }, body }) => ({
      body: await changeRole(context, caller, { workspaceId, userId, role: body.role }),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/workspaces/{id}/members/{userId}",
    operation: "removeMember",
    tag,
    summary: "Remove a member, or leave a workspace",
    description:
      "Immediately ends their API keys, connected apps, own credentials and runs in progress in the workspace.",
    scope: "person",
    audit: "member.remove",
    params: ofMember,
    status: 204,
    response: null,
    errors: ["not_found", "forbidden", "last_owner", "unavailable"],
    handle: async ({ context, caller, params: { id: workspaceId, userId } }) => {
      await removeMember(context, caller, { workspaceId, userId });
      return { body: null };
    },
  }),
  defineRoute({
    method: "get",
    path: "/workspaces/{id}/invitations",
    operation: "listInvitations",
    tag,
    summary: "List pending invitations",
    description:
      "Returns the invitations that were neither accepted nor revoked, without their links. Requires the role admin.",
    scope: "person",
    audit: null,
    params: inWorkspace,
    query: pageQuery,
    status: 200,
    response: z.array(invitation),
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params, query: { limit, cursor }, url }) => {
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const found = await listInvitations(context, caller, params.id, page);
      const { shown, next } = cutPage(found, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "post",
    path: "/workspaces/{id}/invitations",
    operation: "createInvitation",
    tag,
    summary: "Create an invitation",
    description:
      "Requires the role admin and a role above that of the invitation; owners can assign every role. The invitation is valid for 7 days.",
    scope: "person",
    audit: "invitation.create",
    isSecret: true,
    params: inWorkspace,
    body: createInvitationInput,
    status: 201,
    response: createdInvitation,
    errors: ["not_found", "forbidden", "already_member", "rate_limited"],
    handle: async ({ context, caller, params, body }) => ({
      body: await createInvitation(context, caller, params.id, body),
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/workspaces/{id}/invitations/{invitationId}",
    operation: "revokeInvitation",
    tag,
    summary: "Revoke an invitation",
    scope: "person",
    audit: "invitation.revoke",
    params: inWorkspace.extend({ invitationId: z.string() }),
    status: 204,
    response: null,
    errors: ["not_found", "forbidden"],
    handle: async ({ context, caller, params: { id: workspaceId, invitationId: id } }) => {
      await revokeInvitation(context, caller, { workspaceId, id });
      return { body: null };
    },
  }),
  defineRoute({
    method: "post",
    path: "/invitations/{token}/accept",
    operation: "acceptInvitation",
    tag,
    summary: "Accept an invitation",
    description: "The invitation must be for your email address, and works once.",
    scope: "person",
    audit: "member.join",
    params: z.object({ token: z.string().max(200) }),
    status: 200,
    response: acceptedInvitation,
    errors: ["not_found", "forbidden", "already_member"],
    handle: async ({ context, caller, params }) => ({
      body: await acceptInvitation(context, caller, params.token),
    }),
  }),
];
