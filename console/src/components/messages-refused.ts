/** Texts of pages that cannot be shown. */
export const messages = {
  roleRequired: (role: string) => `You need the ${role} role`,
  ownRole: (role: string) => `Your role in this workspace is ${role}.`,
  askAdmin: "Ask an admin to change it.",
} as const;
