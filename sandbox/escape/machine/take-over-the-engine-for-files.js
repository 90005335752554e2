export const attempt = {
  tries: "to read files after it has broken its engine",
  refusedBecause: "its process has a root folder with nothing in it but the engine",
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
