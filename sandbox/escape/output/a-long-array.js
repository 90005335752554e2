export const attempt = {
  tries: "to return an array with four billion holes",
  refusedBecause: "what fits into no string counts as too large",
  ends: { code: "output_too_large" },
};

export default () => new Array(4294967295);
