export const attempt = {
  tries: "to pollute the service by the names in its output",
  refusedBecause: "parsing makes own properties, and nothing is merged",
};

export default () =>
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"is":"refused"}',
  );
