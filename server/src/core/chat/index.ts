export { textOfBlocks } from "./block-text.ts";
export type {
  ChatBlock,
  ChatButton,
  ChatChoice,
  ChatField,
  ChatFieldProblem,
  ChatFile,
  ChatForm,
  ChatValues,
} from "./block.ts";
export type { ChatFailure } from "./chat-error.ts";
export { ChatError, isRateLimited } from "./chat-error.ts";
export type { ConfiguredPlatform, KnownPlatform } from "./chat.ts";
export { createChat } from "./chat.ts";
export type { ChatContext } from "./context.ts";
export type { ChatMessage } from "./event.ts";
export { openWebForm, submitWebForm } from "./web-form.ts";
export type { WebForm, WebFormUpload } from "./web-form.ts";
export { authorizeInstall, chatCallbackUrl, createInstallLink } from "./install.ts";
export { findForm, pressButton, submitForm } from "./interact.ts";
export type { StreamLease, Stream } from "./run-stream.ts";
export { runStreamOnOneNode } from "./run-stream.ts";
export { listChatLinks, offerChatLink, removeChatLink, takeChatLink } from "./links.ts";
export {
  changeChatConnection,
  disconnectChat,
  listChatConnections,
  listChatPlatforms,
  listDeadLetters,
  readInboxState,
  requeueDeadLetter,
} from "./manage.ts";
export { completeInstall } from "./oauth-callback.ts";
export { unmaskLinks } from "./unmask-links.ts";
export type {
  ChatDownload,
  ChatInstallation,
  ThreadRef,
  ChatProfile,
  ChatStream,
  ChatTeam,
  ChatThread,
  ChatThreadMessage,
  PlatformTransport,
  ChatUpload,
} from "./platform.ts";
export { openMessageForm, openToolForm } from "./panels/open-tool.ts";
export type { ChatHome, ChatPanel, ChatPanels } from "./panels/panel.ts";
export { receiveHomeOpening } from "./panels/receive-home.ts";
export { postToChannel } from "./post-to-channel.ts";
export {
  isConnected,
  recordMessageEdit,
  recordThreadMessage,
  receiveBotRemoval,
  receiveCommand,
  receiveMessage,
  receiveStop,
} from "./receive.ts";
export { chatTasks, startInboxWorker } from "./run-worker.ts";
