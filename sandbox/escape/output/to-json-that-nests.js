export const attempt = {
  tries: "to return a toJSON method that returns another one each time",
  blockedBecause: "the depth of serializable output is limited",
  ends: { code: "invalid_output" },
};

export default () => {
  const nest = () => ({ in: { toJSON: nest } });
  return nest();
};
