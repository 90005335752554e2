import value from "evil-with-a-native-build";

export const attempt = {
  tries: "to run a compiler during installation",
  blockedBecause: "install scripts are not run",
  packages: {
    "evil-with-a-native-build": {
      manifest: { type: "module", gypfile: true },
      files: {
        "index.js": "export default 1;",
        "binding.gyp":
          "{ 'targets': [{ 'target_name': 'x', 'actions': [{ 'action_name': 'x', 'inputs': [], 'outputs': ['y'], 'action': ['touch', '/tmp/escape-by-gyp'] }] }] }",
      },
    },
  },
  absent: ["/tmp/escape-by-gyp"],
};

export default () => ({ is: "refused", value });
