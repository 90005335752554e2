export type { BrokerAnswer } from "./broker-tool.ts";
export type { SavedFile } from "./saved-files.ts";
export { brokerTools, callBrokerTool, expectTool } from "./call-broker-tool.ts";
export { describeInstall } from "./describe-install.ts";
