import { expect, it } from 'vitest';
import { certify, connectUrlSubject } from '../src/index.ts';
import { startSdkAgent } from './sdk-agent.ts';

it('loses tasks behind an updated boundary and excludes the very instant that it is asked to list from', async () => {
  const { url, server } = await startSdkAgent(0);
  try {
    const subject = await connectUrlSubject(url);
    const { rules } = await certify(subject, { profile: 'a2a-1.0', runs: 150, shrinkExecutions: 200 });

    const violated = rules.filter(({ status }) => status === 'fail');
    expect(violated.map(({ rule }) => rule)).toEqual(['TOKEN-5', 'WALK-3', 'FILTER-1']);
    const [boundary, lost, edge] = violated.map(({ counterexample }) => counterexample!);
    // A cursor is looked up by the time and the id of its task: once that was written, nothing is found behind it.
    expect(boundary!.finding.saw).toMatch(
      /^once only the boundary task "\S+" was changed, the same token gives \[\] instead of \["/,
    );
    expect(lost!.finding.saw).toMatch(/^task "\S+" never appears in walk /);
    expect(lost!.program.clients[0]!.some(({ op }) => op === 'append' || op === 'cancel')).toBe(true);
    // `>` stands in the store where A2A 1.0 §3.1.4 says "greater than or equal".
    expect(edge!.finding.saw).toMatch(/^a list where status time from (\S+) leaves out "\S+" \(.*status time \1/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 120_000);
