export const attempt = {
  tries: "to return a toJSON method that throws",
  blockedBecause: "serializing the output fails the run",
  ends: { code: "invalid_output", message: "mine" },
};

export default () => ({
  toJSON() {
    throw new Error("mine");
  },
});
