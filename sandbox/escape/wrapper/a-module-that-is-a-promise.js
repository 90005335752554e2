export const attempt = {
  tries: "to keep its process loading forever",
  blockedBecause: "the runtime detects that nothing can settle it",
  ends: { code: "timeout" },
};

export const then = () => {};
export default () => "got through";
