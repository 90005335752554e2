export const attempt = {
  tries: "to find the bindings of the dispatcher",
  blockedBecause: "a tool's isolate has none",
  ends: { says: "default" },
};

export default () => {
  const { env, exports } = process.getBuiltinModule("cloudflare:workers");
  const found = [
    ...Object.keys(env),
    ...Object.keys(exports),
    ...Object.keys(globalThis.Cloudflare ?? {}),
  ];
  return found.includes("LOADER") || found.includes("EGRESS") ? "got through" : found;
};
