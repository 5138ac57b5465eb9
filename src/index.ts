/** The public API: what a user of the library imports. */
export type { Rule, Scope } from '../spec/contract.ts';
export { ruleById, rules } from '../spec/contract.ts';
export { type ProfileName, profileRules, profiles } from '../spec/profiles.ts';
export type { CheckContext } from './check/check.ts';
export type { Finding, RuleReport } from './check/verdict.ts';
export type { Entry, History, Operation, Result } from './history/history.ts';
export { formatEntry } from './history/notation.ts';
export type { Content, Filter, PageOptions, Program, Step } from './history/program.ts';
export { type DescribeOptions, describeTaskStore, type TestRunner } from './plugin/describe-task-store.ts';
export { formatCertificate, parseCertificate } from './report/json.ts';
export { renderJUnit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export { renderCertificate } from './report/terminal.ts';
export { SubjectFault } from './run/subject-fault.ts';
export { createMemoryTaskStore, type MemoryTaskStore } from './store/memory.ts';
export { connectUrlSubject, type UrlSubjectOptions } from './subject/agent-url.ts';
export { createMemorySubject } from './subject/memory.ts';
export {
  type CallContext,
  type Capabilities,
  type Counters,
  defineSubject,
  externalDefaults,
  type ListReply,
  type ReadReply,
  type Subject,
  type SubjectDefinition,
  type SubjectStore,
  type WriteReply,
} from './subject/subject.ts';
export { UsageError } from './subject/usage-error.ts';
export type { Certificate, Counterexample, Coverage, RuleResult, RuleStatus } from './suite/certificate.ts';
export { type CertifyOptions, certify, type Progress } from './suite/certify.ts';
export { diffCertificates } from './suite/diff.ts';
export { exitStatus } from './suite/exit-status.ts';
export { applyKnown, parseKnown } from './suite/known.ts';
export { mergeCertificates } from './suite/merge.ts';
export { replayProgram } from './suite/replay.ts';
export { type Clock, MAX_TIME_MICROS, MIN_TIME_MICROS, wallClock } from './task/clock.ts';
export {
  type ErrorCode,
  InternalError,
  InvalidArgumentError,
  RevisionConflictError,
  TaskAlreadyExistsError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStoreError,
  UnknownOutcomeError,
} from './task/errors.ts';
export type { Projection, StoredTask, StoreListPage, StoreListRequest, TaskCursor } from './task/task.ts';
export type { AppendResult, TaskStore } from './task/task-store.ts';
export { decodePageToken, encodePageToken } from './token/page-token.ts';
export { version } from './version.ts';
