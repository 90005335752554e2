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
const inWorkspace = z.object({ id: z.string().meta({ description: "The workspace's id." }) });
const ofMember = inWorkspace.extend({ userId: z.string() });

/** Workspaces, who belongs to them, and who is invited. */
export const workspaceRoutes = [
  defineRoute({
    method: "get",
    path: "/workspaces",
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
    tag,
    summary: "Create a workspace",
    description: "You become its owner.",
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
    tag,
    summary: "Rename a workspace",
    description: "Needs the role admin.",
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
    tag,
    summary: "Delete a workspace",
    description:
      "Needs the role owner. Everybody's access, keys, apps, credentials, tools and runs in it end at once; audit events stay as long as any.",
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
    tag,
    summary: "Hand a workspace over",
    description: "Needs the role owner. The member becomes an owner, and you an admin.",
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
    tag,
    summary: "List a workspace's members",
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
    tag,
    summary: "Change a member's role",
    description: "Needs a role above both the old and the new one; owners may change every one.",
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
    tag,
    summary: "Remove a member, or leave",
    description:
      "Their API keys, connected apps, own credentials and runs in the workspace end at once.",
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
    tag,
    summary: "List open invitations",
    description: "Needs the role admin.",
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
    tag,
    summary: "Invite somebody",
    description:
      "Needs the role admin, and a role above the one that is given; owners may give every one. Holds for a week.",
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
    tag,
    summary: "Withdraw an invitation",
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
    tag,
    summary: "Take an invitation",
    description: "It must be for your e-mail address, and can be taken once.",
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
