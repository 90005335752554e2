export const attempt = {
  tries: "to return an object at the maximum depth that can be serialized",
  blockedBecause: "output nested deeper than 1,000 levels is rejected",
  ends: { code: "invalid_output", message: "1000 levels deep" },
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 1500; i++) deep = [deep];
  return deep;
};
