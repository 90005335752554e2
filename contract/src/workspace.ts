import { z } from "zod";
import { roles } from "./roles.ts";

export const role = z
  .enum(roles)
  .meta({ id: "Role", description: "What a member may do in a workspace." });

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line");

/** A workspace, from the perspective of a member. */
export const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    role,
    memberCount: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Workspace" });
export type Workspace = z.infer<typeof workspace>;

/** Body of `POST /workspaces` and `PATCH /workspaces/{id}`. */
export const createWorkspaceInput = z.strictObject({ name }).meta({ id: "CreateWorkspaceInput" });
export type CreateWorkspaceInput = z.infer<typeof createWorkspaceInput>;

/** Body of `DELETE /workspaces/{id}`. The name confirms the deletion. */
export const deleteWorkspaceInput = z
  .strictObject({ name: z.string().meta({ description: "The current name of the workspace." }) })
  .meta({ id: "DeleteWorkspaceInput" });

/** A member of a workspace. */
export const member = z
  .object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    joinedAt: z.iso.datetime(),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

/** Body of `PATCH /workspaces/{id}/members/{userId}`. */
export const updateMemberInput = z.strictObject({ role }).meta({ id: "UpdateMemberInput" });

/** Body of `POST /workspaces/{id}/transfer`. */
export const transferWorkspaceInput = z
  .strictObject({ userId: z.string().meta({ description: "The member who becomes an owner." }) })
  .meta({ id: "TransferWorkspaceInput" });

const email = z.email().max(254).toLowerCase();

/** Body of `POST /workspaces/{id}/invitations`. */
export const createInvitationInput = z
  .strictObject({ email, role })
  .meta({ id: "CreateInvitationInput" });
export type CreateInvitationInput = z.infer<typeof createInvitationInput>;

/** A pending invitation. */
export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role,
    invitedBy: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitation>;

/** Response of `POST /workspaces/{id}/invitations`. */
export const createdInvitation = invitation
  .extend({
    url: z.string().nullable().meta({
      description: "The invitation link, which is shown only once. Null if it was sent by email.",
    }),
  })
  .meta({ id: "CreatedInvitation" });
export type CreatedInvitation = z.infer<typeof createdInvitation>;

/** Answer of `POST /invitations/{token}/accept`. */
export const acceptedInvitation = z
  .object({ workspaceId: z.string(), name: z.string(), role })
  .meta({ id: "AcceptedInvitation" });
export type AcceptedInvitation = z.infer<typeof acceptedInvitation>;

/** A browser that a person is signed in with. */
export const session = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

/** Body of `DELETE /me`. */
export const deleteAccountInput = z
  .strictObject({
    password: z.string().max(200).optional().meta({
      description: "Required unless you signed in within the last ten minutes.",
    }),
  })
  .meta({ id: "DeleteAccountInput" });

/** Answer of `GET /me/export`. */
export const accountExport = z.record(z.string(), z.json()).meta({ id: "AccountExport" });
export type AccountExport = z.infer<typeof accountExport>;
