export const attempt = {
  tries: "to keep its process busy loading for ever",
  refusedBecause: "nothing can wake it, which ends the run",
  ends: { code: "timeout" },
};

export const then = () => {};
export default () => "got through";
