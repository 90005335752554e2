export const attempt = {
  tries: "to return a toJSON that throws",
  refusedBecause: "writing the output is within the run, and fails it",
  ends: { code: "invalid_output", message: "mine" },
};

export default () => ({
  toJSON() {
    throw new Error("mine");
  },
});
