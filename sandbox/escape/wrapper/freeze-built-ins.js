export const attempt = {
  tries: "to break the next run of another user by freezing built-ins",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "frozen" },
};

export default () => {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    try {
      Object.freeze(globalThis[name]?.prototype);
      if (name !== "globalThis" && name !== "self" && name !== "global")
        Object.freeze(globalThis[name]);
    } catch {}
  }
  return "frozen";
};
