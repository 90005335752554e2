export const attempt = {
  tries: "to report a progress that is none",
  refusedBecause: "a fraction is between 0 and 1",
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
