export const attempt = {
  tries: "to pollute prototypes in the service with names in its output",
  blockedBecause: "parsing creates own properties, and nothing is merged",
};

export default () =>
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"is":"refused"}',
  );
