export const attempt = {
  tries: "to return a toJSON that makes another one each time",
  refusedBecause: "the depth of what can be written is bounded",
  ends: { code: "invalid_output" },
};

export default () => {
  const nest = () => ({ in: { toJSON: nest } });
  return nest();
};
