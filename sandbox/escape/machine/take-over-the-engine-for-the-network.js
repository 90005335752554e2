export const attempt = {
  tries: "to reach the network and other processes after it has broken its engine",
  refusedBecause: "its process has a network and process space of its own",
  ends: { says: "waited" },
  needs: "namespaces",
  isAlone: true,
};

export default () => new Promise((resolve) => setTimeout(resolve, 200, "waited"));
