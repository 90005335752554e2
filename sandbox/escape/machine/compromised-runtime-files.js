export const attempt = {
  tries: "to read files after compromising the runtime",
  blockedBecause: "the root file system of its process contains only the runtime",
  ends: { says: "waited" },
  needs: "bwrap",
  hidden: [
    "/etc",
    "/bin",
    "/proc",
    "/root",
    "/home",
    "/tmp",
    "/run",
    "/sys",
    "/var",
    "/work",
    "/usr/bin",
  ],
};

export default () => new Promise((resolve) => setTimeout(resolve, 200, "waited"));
