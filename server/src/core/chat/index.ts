export type {
  ChatBlock,
  ChatButton,
  ChatChoice,
  ChatField,
  ChatFieldProblem,
  ChatFile,
  ChatFiles,
  ChatForm,
  ChatValues,
} from "./block.ts";
export type { ChatFailure } from "./chat-error.ts";
export { ChatError } from "./chat-error.ts";
export type {
  ChatDeparture,
  ChatMessage,
  ChatPress,
  ChatSubmission,
  OverheardMessage,
} from "./event.ts";
export type {
  ChatDownload,
  ChatInstallation,
  ChatPlace,
  ChatPlatform,
  ChatProfile,
  ChatTeam,
  ChatThreadMessage,
  ChatTransport,
  ChatUpload,
  NewChatMessage,
} from "./platform.ts";
export type {
  Occasion,
  OpenQuestion,
  PressedQuestion,
  Question,
  QuestionResponse,
  Responder,
  RunAsked,
  Turn,
} from "./responder.ts";
