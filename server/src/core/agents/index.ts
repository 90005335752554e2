export type { BrokerAnswer } from "./broker-tool.ts";
export { brokerTools, callBrokerTool } from "./call-broker-tool.ts";
export { describeInstall } from "./describe-install.ts";
