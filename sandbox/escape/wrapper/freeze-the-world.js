export const attempt = {
  tries: "to break the next run of somebody else by freezing what it needs",
  refusedBecause: "each user has an isolate of their own",
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
