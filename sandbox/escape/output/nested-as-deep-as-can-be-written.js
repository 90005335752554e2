export const attempt = {
  tries: "to return an object just as deep as can be written",
  refusedBecause: "nothing nested deeper than 1,000 is taken",
  ends: { code: "invalid_output", message: "1000 levels deep" },
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 1500; i++) deep = [deep];
  return deep;
};
