export const attempt = {
  tries: "to return a symbol",
  refusedBecause: "JSON cannot carry it",
  ends: { code: "invalid_output", message: "symbol" },
};

export default () => Symbol("a");
