import value from "evil-that-names-an-address";

export const attempt = {
  tries: "to make the service request an internal URL during installation",
  blockedBecause: "packages are installed only from the registry",
  packages: {
    "evil-that-names-an-address": {
      manifest: { type: "module", dependencies: { inner: "{registry}/stolen.tgz" } },
      files: { "index.js": 'export { default } from "inner";' },
    },
  },
  refused: "cannot be installed",
};

export default () => ({ is: "refused", value });
