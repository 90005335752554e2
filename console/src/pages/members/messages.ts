/** Texts of the members page. */
export const messages = {
  title: "Members",
  noun: ["member", "members"],
  lead: (workspace: string) => `Members of ${workspace} and their roles.`,
  list: "Members",
  you: "(you)",
  columns: { name: "Name", email: "Email", role: "Role", joined: "Joined" },

  invite: {
    action: "Invite member",
    title: "Invite member",
    submit: "Send invitation",
    email: "Email address",
    emailHint: "They sign in with this address, or create an account with it.",
    role: "Role",
    created: (email: string) => `${email} invited`,
    emailed: "We'll email them an invitation link, valid for 7 days.",
    shareLink:
      "This server doesn't send email. Share this link with them. It is shown only once and is valid for 7 days.",
    link: "Invitation link",
    done: "Done",
  },

  invitations: {
    title: "Pending invitations",
    list: "Invitations",
    noun: ["invitation", "invitations"],
    invitedBy: "Invited by",
    invited: "Invited",
    empty:
      "No pending invitations. An invitation is for one email address and is valid for 7 days.",
    expires: "Expires",
    revoke: "Revoke",
    revokeLabel: (email: string) => `Revoke invitation for ${email}`,
    revoked: (email: string) => `Invitation for ${email} revoked`,
  },

  row: {
    menu: (name: string) => `Actions for ${name}`,
    menuButton: (name: string) => `More actions for ${name}`,
    role: (name: string) => `Role of ${name}`,
    roleChanged: (name: string, role: string) => `${name} is now ${role}`,
    transfer: "Transfer workspace",
    remove: "Remove member",
    leave: "Leave workspace",
    onlyOwner: "You are the only owner.",
    isOnlyOwner: "You are the only owner. Make another member an owner before you leave.",
  },

  dialogs: {
    remove: {
      title: (name: string) => `Remove ${name}?`,
      action: "Remove member",
      body: "Their API keys, connected apps, credentials and runs in this workspace end immediately. Tools that they shared remain.",
      done: (name: string) => `${name} removed`,
    },
    leave: {
      title: (workspace: string) => `Leave ${workspace}?`,
      action: "Leave workspace",
      body: "Your API keys, connected apps, credentials and runs in this workspace end immediately. Tools that you shared remain. Your private tools become inaccessible.",
    },
    transfer: {
      title: (workspace: string, name: string) => `Transfer ${workspace} to ${name}?`,
      action: "Transfer workspace",
      body: "They become an owner and you become an admin. Only an owner can undo this.",
      done: (workspace: string, name: string) => `${name} now owns ${workspace}`,
    },
    promote: {
      title: (name: string) => `Make ${name} an owner?`,
      action: "Make owner",
      body: (workspace: string) =>
        `Owners have full access: they can also delete ${workspace} and remove you.`,
      done: (name: string) => `${name} is now an owner`,
    },
  },

  roles: {
    title: "Roles and permissions",
    lead: "Each role includes the permissions of the roles below it.",
    you: "You",
  },
} as const;
