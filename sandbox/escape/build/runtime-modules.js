export const attempt = {
  tries: "to import runtime modules that packages never need",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("cloudflare:workers")).default });
