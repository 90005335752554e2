import crypto from "node:crypto";

export const attempt = {
  tries: "to leave something on a built-in module for another user",
  refusedBecause: "each user has an isolate of their own",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = crypto.left !== undefined;
  crypto.left = "left";
  crypto.randomUUID = () => "forged";
  return was ? "got through" : "nothing was left";
};
