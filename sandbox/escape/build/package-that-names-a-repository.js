import value from "evil-that-names-a-repository";

export const attempt = {
  tries: "to have the service clone a repository while it installs",
  refusedBecause: "packages come from the registry alone",
  packages: {
    "evil-that-names-a-repository": {
      manifest: { type: "module", dependencies: { inner: "git+http://127.0.0.1:9/a.git" } },
      files: { "index.js": 'export { default } from "inner";' },
    },
  },
  refused: "cannot be installed",
};

export default () => ({ is: "refused", value });
