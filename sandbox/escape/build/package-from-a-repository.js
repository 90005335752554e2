import value from "evil-that-names-a-repository";

export const attempt = {
  tries: "to make the service clone a repository during installation",
  blockedBecause: "packages are installed only from the registry",
  packages: {
    "evil-that-names-a-repository": {
      manifest: { type: "module", dependencies: { inner: "git+http://127.0.0.1:9/a.git" } },
      files: { "index.js": 'export { default } from "inner";' },
    },
  },
  refused: "cannot be installed",
};

export default () => ({ is: "refused", value });
