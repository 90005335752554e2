export const attempt = {
  tries: "to report invalid progress",
  blockedBecause: "only fractions from 0 to 1 are accepted",
  ends: { says: '^\\["refused","refused","refused","refused","refused","refused","refused"\\]$' },
};

export default (_, { progress }) => {
  const ends = [];
  for (const fraction of [-1, 2, NaN, Infinity, "x", {}, 1e300]) {
    try {
      progress(fraction, "p".repeat(1e6));
      ends.push("got through");
    } catch {
      ends.push("refused");
    }
  }
  return ends;
};
