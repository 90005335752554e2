/** Texts that several features share, and that the first page needs. */
export const messages = {
  copyFailed: "Your browser blocked copying. Select the text and copy it manually.",
  roles: {
    owner: "Owner",
    admin: "Admin",
    builder: "Builder",
    member: "Member",
    viewer: "Viewer",
  },
} as const;
