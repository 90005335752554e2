export const attempt = {
  tries: "to make its own error look like a denial of the gate",
  blockedBecause: "it changes only its own error code, and the egress report shows what was denied",
  ends: { code: "egress_denied", message: "Claimed" },
};

export default () => {
  throw Object.assign(new Error("egress_denied: claimed"), { code: "egress_denied" });
};
