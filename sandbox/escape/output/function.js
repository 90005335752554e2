export const attempt = {
  tries: "to return a function",
  refusedBecause: "JSON cannot carry it",
  ends: { code: "invalid_output", message: "function" },
};

export default () => () => 1;
