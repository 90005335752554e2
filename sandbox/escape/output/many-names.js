export const attempt = {
  tries: "to return an object with half a million names",
  blockedBecause: "the number of names and values in an output is limited",
  limits: { outputBytes: 6291456, memoryBytes: 268435456 },
  ends: { code: "output_too_large", message: "names and values" },
};

export default () =>
  Object.fromEntries(Array.from({ length: 500000 }, (_, index) => [`p${index}`, 1]));
