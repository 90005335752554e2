import { z } from "zod";
import { roles } from "./roles.ts";

export const role = z
  .enum(roles)
  .meta({ id: "Role", description: "What a person may do in a workspace." });

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be one line");

/** A workspace, as one of its members sees it. */
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

/** Body of `DELETE /workspaces/{id}`: the name again, so that none is deleted by mistake. */
export const deleteWorkspaceInput = z
  .strictObject({ name: z.string().meta({ description: "The workspace's name, as it is now." }) })
  .meta({ id: "DeleteWorkspaceInput" });

/** A person in a workspace. */
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
  .strictObject({ userId: z.string().meta({ description: "A member, who becomes an owner." }) })
  .meta({ id: "TransferWorkspaceInput" });

const email = z.email().max(254).toLowerCase();

/** Body of `POST /workspaces/{id}/invitations`. */
export const createInvitationInput = z
  .strictObject({ email, role })
  .meta({ id: "CreateInvitationInput" });
export type CreateInvitationInput = z.infer<typeof createInvitationInput>;

/** An invitation that nobody has taken yet. */
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

/** Answer of `POST /workspaces/{id}/invitations`. */
export const createdInvitation = invitation
  .extend({
    url: z.string().nullable().meta({
      description:
        "Give it to the person. Null when it was sent to them by e-mail; it is shown nowhere else.",
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
      description: "Needed unless the person signed in within the last ten minutes.",
    }),
  })
  .meta({ id: "DeleteAccountInput" });

/** Answer of `GET /me/export`. */
export const accountExport = z.record(z.string(), z.json()).meta({ id: "AccountExport" });
export type AccountExport = z.infer<typeof accountExport>;
