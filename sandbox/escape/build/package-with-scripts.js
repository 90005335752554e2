import value from "evil-with-scripts";

export const attempt = {
  tries: "to run a script during installation",
  blockedBecause: "install scripts are not run",
  packages: {
    "evil-with-scripts": {
      manifest: {
        type: "module",
        scripts: {
          preinstall: "touch /tmp/escape-by-script",
          install: "touch /tmp/escape-by-script",
          postinstall: "touch /tmp/escape-by-script",
          prepare: "touch /tmp/escape-by-script",
        },
      },
      files: { "index.js": "export default 1;" },
    },
  },
  absent: ["/tmp/escape-by-script"],
};

export default () => ({ is: "refused", value });
