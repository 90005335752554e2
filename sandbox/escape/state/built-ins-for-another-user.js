import crypto from "node:crypto";

export const attempt = {
  tries: "to leave something on a built-in module for another user",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = crypto.left !== undefined;
  crypto.left = "left";
  crypto.randomUUID = () => "forged";
  return was ? "got through" : "nothing was left";
};
