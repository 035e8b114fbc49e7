import type { ClassTable } from "../../util/graph/tags";
import { ThreadState, TranscriptBuilder } from "../builder";
import { LeftContext } from "../leftContext";
import { Pairing } from "../pairing";
import { ProblemLog } from "../problems";
import { AnthropicMessagesReader } from "../readers/anthropicMessages";
import { ChatMessages } from "../readers/chatMessages";
import { ClaudeCodeReader } from "../readers/claudeCode";
import { ClaudeRows } from "../readers/claudeRows";
import { CodexReader } from "../readers/codex";
import { CodexExecReader } from "../readers/codexExec";
import { ContextParts } from "../readers/contextParts";
import { CopilotChatReader } from "../readers/copilotChat";
import { CopilotDebugReader } from "../readers/copilotDebug";
import { CopilotEventsReader } from "../readers/copilotEvents";
import { GeminiCliReader } from "../readers/geminiCli";
import { HermesExportReader, HermesGatewayReader, HermesSnapshotReader } from "../readers/hermes";
import { HermesRequestReader } from "../readers/hermesRequest";
import { HermesTrajectoryReader } from "../readers/hermesTrajectory";
import { LangchainReader } from "../readers/langchain";
import { LivePath } from "../readers/livePath";
import { MiniSweAgentReader } from "../readers/miniSweAgent";
import { MutationLog } from "../readers/mutationLog";
import { OpenaiChatReader } from "../readers/openaiChat";
import { OpenaiResponsesReader } from "../readers/openaiResponses";
import { OpencodeExportReader } from "../readers/opencode";
import { OpencodeStorageReader } from "../readers/opencodePart";
import { OpencodeTwo } from "../readers/opencodeTwo";
import { OpenhandsReader } from "../readers/openhands";
import { OpenhandsTree } from "../readers/openhandsTree";
import { OpenhandsV0 } from "../readers/openhandsV0";
import { OpenhandsV1 } from "../readers/openhandsV1";
import { OpenmausbotNativeReader } from "../readers/openmausbotNative";
import { OpenmausbotThreadReader } from "../readers/openmausbotThread";
import { ResultRing } from "../readers/resultRing";
import { SweAgentReader } from "../readers/sweAgent";
import { OpenhumanReader, TinyagentsMessagesReader, TinyagentsRunReader } from "../readers/tinyagents";
import { NameTable } from "../rows/nameTable";
import { RowBooks, RowPairs, RowRequests, RowThread } from "../rows/rowBooks";
import { RowFold } from "../rows/rowFold";
import { RowIds } from "../rows/rowIds";
import { RowPath } from "../rows/rowPath";
import { RowRing } from "../rows/rowRing";
import { UuidSet } from "../rows/uuidSet";
import { CountedResults, Summary, ThreadCount } from "../summary";
import { ContextTimeline } from "../timeline";
import { Tally, UsageTally } from "../usageTally";

/**
 * Classes whose objects make up what is known in the middle of a file. All of it is in plain fields; a reader that keeps
 * something else (a function, a platform's object) is read anew from the beginning of the file when that has grown.
 */
export const STATE_CLASSES: ClassTable = {
  TranscriptBuilder,
  ThreadState,
  Pairing,
  ProblemLog,
  UsageTally,
  Tally,
  NameTable,
  UuidSet,
  RowFold,
  RowBooks,
  RowThread,
  RowPairs,
  RowRequests,
  RowIds,
  RowPath,
  RowRing,
  Summary,
  ThreadCount,
  CountedResults,
  ContextTimeline,
  LeftContext,
  LivePath,
  ResultRing,
  ChatMessages,
  ContextParts,
  MutationLog,
  ClaudeRows,
  AnthropicMessagesReader,
  ClaudeCodeReader,
  CodexReader,
  CodexExecReader,
  CopilotChatReader,
  CopilotDebugReader,
  CopilotEventsReader,
  GeminiCliReader,
  HermesExportReader,
  HermesGatewayReader,
  HermesSnapshotReader,
  HermesRequestReader,
  HermesTrajectoryReader,
  LangchainReader,
  MiniSweAgentReader,
  OpenaiChatReader,
  OpenaiResponsesReader,
  OpencodeExportReader,
  OpencodeStorageReader,
  OpencodeTwo,
  OpenhandsReader,
  OpenhandsTree,
  OpenhandsV0,
  OpenhandsV1,
  OpenmausbotNativeReader,
  OpenmausbotThreadReader,
  SweAgentReader,
  OpenhumanReader,
  TinyagentsMessagesReader,
  TinyagentsRunReader,
};
