export type { BrokerAnswer } from "./broker-tool.ts";
export { brokerTools, callBrokerTool } from "./call-broker-tool.ts";
