export const attempt = {
  tries: "to return an array with four billion holes",
  blockedBecause: "output that exceeds the length of a string is too large",
  ends: { code: "output_too_large" },
};

export default () => new Array(4294967295);
