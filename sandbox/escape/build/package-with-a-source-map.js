import value from "evil-with-a-source-map";

export const attempt = {
  tries: "to read a file by declaring it as a package's source map",
  blockedBecause: "source maps that code refers to are never read",
  packages: {
    "evil-with-a-source-map": {
      manifest: { type: "module" },
      files: { "index.js": 'export default "refused";\n//# sourceMappingURL=/etc/passwd' },
    },
  },
};

export default () => ({ is: "refused", value });
