export const attempt = {
  tries: "to have an error of its own taken for a refusal of the gate",
  refusedBecause:
    "it changes the word for its own failure and nothing else; the receipt says what was refused",
  ends: { code: "egress_denied", message: "claimed" },
};

export default () => {
  throw Object.assign(new Error("egress_denied: claimed"), { code: "egress_denied" });
};
