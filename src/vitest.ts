/** The plug-in for Vitest (`pagecheck/vitest`). This is the only module that imports a test runner. */
import { describe, it } from 'vitest';
import {
  type DescribeOptions,
  describeTaskStore as describeWith,
  type TestRunner,
} from './plugin/describe-task-store.ts';
import type { Subject } from './subject/subject.ts';

export type { DescribeOptions, TestRunner };

/** As `DescribeOptions`; the runner is Vitest where absent. */
export type VitestOptions = Partial<DescribeOptions>;

const vitest: TestRunner = { describe, it, replay: (rule) => `npx vitest run -t ${rule}` };

/**
 * Describes a subject by one test for each rule, with Vitest's own `describe` and `it` (no globals needed) or with those
 * in `options.runner`. Call it at the top of a test file.
 */
export function describeTaskStore(name: string, subject: Subject, options: VitestOptions = {}): void {
  describeWith(name, subject, { ...options, runner: options.runner ?? vitest });
}
