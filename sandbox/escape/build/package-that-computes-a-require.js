import find from "evil-that-computes-a-require";

export const attempt = {
  tries: "to search the disk with a concatenated require path",
  blockedBecause: "a build can access only its own packages",
  packages: {
    "evil-that-computes-a-require": {
      files: {
        "index.js":
          'module.exports = (n) => require("." + ("/../../../../../../../../" + n + "/secret.js"));',
      },
    },
  },
  mayBeSaved: true,
  ends: { code: "tool_error" },
};

export default () => ({ was: find("") });
