export const attempt = {
  tries: "to return an object of half a million names",
  refusedBecause: "an output may hold a number of names and values",
  limits: { outputBytes: 6291456, memoryBytes: 268435456 },
  ends: { code: "output_too_large", message: "names and values" },
};

export default () =>
  Object.fromEntries(Array.from({ length: 500000 }, (_, index) => [`p${index}`, 1]));
