/** Texts that several features share, and that the first page needs. */
export const messages = {
  copyFailed: "The browser didn't allow copying. Select the text and copy it yourself.",
  roles: {
    owner: "Owner",
    admin: "Admin",
    builder: "Builder",
    member: "Member",
    viewer: "Viewer",
  },
} as const;
