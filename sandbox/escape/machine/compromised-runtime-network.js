export const attempt = {
  tries: "to reach the network and other processes after compromising the runtime",
  blockedBecause: "its process has separate network and pid namespaces",
  ends: { says: "waited" },
  needs: "namespaces",
  isAlone: true,
};

export default () => new Promise((resolve) => setTimeout(resolve, 200, "waited"));
