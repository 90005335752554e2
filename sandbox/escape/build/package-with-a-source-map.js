import value from "evil-with-a-source-map";

export const attempt = {
  tries: "to learn what a file holds by calling it the source map of a package",
  refusedBecause: "a map that code names is never read",
  packages: {
    "evil-with-a-source-map": {
      manifest: { type: "module" },
      files: { "index.js": 'export default "refused";\n//# sourceMappingURL=/etc/passwd' },
    },
  },
};

export default () => ({ is: "refused", value });
