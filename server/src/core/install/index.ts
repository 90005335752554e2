export { describeInstall } from "./describe-install.ts";
