import value from "evil-with-a-browser-map";

export const attempt = {
  tries: "to bundle a file with the browser field of a package",
  blockedBecause: "the file does not exist inside the package",
  packages: {
    "evil-with-a-browser-map": {
      manifest: {
        type: "module",
        browser: { "./inner.js": "../../../../../../../../secret.js" },
        exports: { ".": { browser: "./index.js", default: "./index.js" }, "./*": "/*" },
        imports: { "#own": "./../../../../secret.js" },
      },
      files: {
        "index.js": 'import value from "#own"; export default value; export * from "./inner.js";',
        "inner.js": "export default 1;",
      },
    },
  },
  refused: "resolve|not allowed",
};

export default () => ({ is: "refused", value });
