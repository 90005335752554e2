import module, { createRequire } from "node:module";

export const attempt = {
  tries: "to access native bindings of Node",
  blockedBecause: "the runtime is not Node and has none",
  ends: { says: "NOT_IMPLEMENTED" },
};

export default async () => {
  const ways = [
    () => process.binding("fs"),
    () => process._linkedBinding("fs"),
    () => process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"),
    () => createRequire("file:///tool.js")("/lib/addon.node"),
    () => module._load("fs").readFileSync("/etc/passwd"),
    () => process.mainModule.require("child_process"),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
