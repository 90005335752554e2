import value from "evil-with-a-browser-map";

export const attempt = {
  tries: "to take in a file by what a package names for browsers",
  refusedBecause: "there is no such file where it is looked for",
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
