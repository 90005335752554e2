import find from "evil-that-computes-a-require";

export const attempt = {
  tries: "to have the disk searched by a require whose path is put together",
  refusedBecause: "a build sees no disk but its own packages",
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
