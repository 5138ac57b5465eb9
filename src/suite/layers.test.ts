import { describe, expect, it } from 'vitest';
import type { DispatcherParts } from '../dispatcher/context.ts';
import type { Program } from '../history/program.ts';
import { renderFailure } from '../report/failure.ts';
import { renderLayers } from '../report/layers.ts';
import { createMemoryTaskStore } from '../store/memory.ts';
import { createDispatcherSubject } from '../subject/dispatcher.ts';
import { memoryBacking } from '../subject/store-backing.ts';
import type { Subject } from '../subject/subject.ts';
import { createWireSubject } from '../subject/wire.ts';
import type { RuleResult } from './certificate.ts';
import { certify } from './certify.ts';
import { judgeLayers } from './layers.ts';
import { replayProgram } from './replay.ts';

/** Two pages of one task each, as bob, who may not access C; raw requests beside them. */
const program: Program = {
  version: 1,
  scenario: 'layers',
  tasks: { A: 'a', B: 'b', C: 'c' },
  clients: [
    [
      { op: 'create', task: 'A' },
      { op: 'create', task: 'B' },
      { op: 'create', task: 'C' },
      { op: 'deny', caller: 'bob', task: 'C' },
      { op: 'walk', walk: 'w', pageSize: 1, caller: 'bob' },
      { op: 'raw', transport: 'grpc', method: 'ListTasks', fields: {}, means: { kind: 'valid' } },
    ],
  ],
};

const options = { profile: '0.6', operationTimeoutMs: 5_000 } as const;

/** What each layer breaks, by its name, and the words for it. */
async function located(subject: Subject): Promise<{ breaks: Record<string, readonly string[]>; words: string }> {
  const layers = (await judgeLayers(subject, program, options)) ?? [];
  return { breaks: Object.fromEntries(layers.map((one) => [one.layer, one.breaks])), words: renderLayers(layers) };
}

/** A store whose totals count from the boundary on. */
const miscounting = memoryBacking((clock) => {
  const store = createMemoryTaskStore({ clock });
  const list: typeof store.list = async (request) => {
    const page = await store.list(request);
    return request.pageToken === undefined || page.totalSize === undefined
      ? page
      : { ...page, totalSize: page.tasks.length };
  };
  return Object.assign(Object.create(store), { list }) as typeof store;
});

/** A store whose lists lose their last task. */
const losing = memoryBacking((clock) => {
  const store = createMemoryTaskStore({ clock });
  const list: typeof store.list = async (request) => {
    const page = await store.list(request);
    return { ...page, tasks: page.tasks.slice(0, -1), taskCursors: page.taskCursors.slice(0, -1) };
  };
  return Object.assign(Object.create(store), { list }) as typeof store;
});

const allowingAll: Partial<DispatcherParts> = {
  allows: async (_access, _caller, _scope, tasks) => tasks.map(() => true),
};

describe('a fault is laid at the first layer that shows it', () => {
  it('at nobody where all is well', async () => {
    const { breaks, words } = await located(createWireSubject());
    expect(breaks).toEqual({ store: [], dispatcher: [], jsonrpc: [], http: [], grpc: [] });
    expect(words).toBe(
      'only the whole breaks it: store alone holds without 2 steps it has no means for, dispatcher alone holds without a ' +
        'step it has no means for, jsonrpc alone holds without a step it has no means for, http alone holds without a ' +
        'step it has no means for, grpc alone holds',
    );
  });

  it('at the store, whatever stands above it', async () => {
    for (const subject of [createDispatcherSubject(losing), createWireSubject('all', losing)]) {
      const { breaks, words } = await located(subject);
      expect(breaks.store).toContain('WALK-3');
      expect(words).toMatch(/^store is the first to break it \(.*WALK-3.*\)$/);
    }
  });

  it('at nobody where a layer above does not take what a store gets wrong', async () => {
    // The dispatcher counts by itself: what the store says is not looked at.
    const { breaks } = await located(createWireSubject('all', miscounting));
    expect(breaks.store).toContain('COUNT-1');
    expect(breaks.dispatcher).toEqual([]);
  });

  it('at the dispatcher, over a right store', async () => {
    const subject = createWireSubject('all', undefined, { parts: allowingAll });
    const { breaks, words } = await located(subject);
    expect(breaks).toMatchObject({ store: [], dispatcher: expect.arrayContaining(['WALK-4']) });
    expect(words).toMatch(/^dispatcher is the first to break it .*; store alone holds without 2 steps/);
  });

  it('at one transport, with the others beside it', async () => {
    const subject = createWireSubject('all', undefined, {
      agent: {
        wrapHandler: (transport, handler) =>
          transport !== 'grpc'
            ? handler
            : {
                ...handler,
                listTasks: async (params, context) => ({ ...(await handler.listTasks(params, context)), totalSize: 7 }),
              },
      },
    });
    const { breaks, words } = await located(subject);
    expect(breaks).toEqual({
      store: [],
      dispatcher: [],
      jsonrpc: [],
      http: [],
      grpc: expect.arrayContaining(['COUNT-1']),
    });
    expect(words).toMatch(/^grpc is the first to break it \(.*COUNT-1.*\); store alone .*, http alone holds/);
    await subject.stop?.();
  });
});

describe('the layers of a violation', () => {
  it('are told when it is replayed, and not where nothing was found', async () => {
    const wrong = createWireSubject('grpc', undefined, { parts: allowingAll });
    const { layers } = await replayProgram(wrong, program, { rule: 'WALK-4' });
    expect(layers?.map(({ layer }) => layer)).toEqual(['store', 'dispatcher']);
    const { layers: none } = await replayProgram(createWireSubject('grpc'), program, { rule: 'WALK-4' });
    expect(none).toBeUndefined();
  });

  it('stand in its certificate, and in its text', async () => {
    const certificate = await certify(createDispatcherSubject(losing), { runs: 40, rules: ['WALK-3'] });
    const [result] = certificate.rules;
    expect(result?.counterexample?.layers).toEqual([
      { layer: 'store', level: 'store', breaks: expect.arrayContaining(['WALK-3']), leftOut: 0 },
    ]);
    expect(renderFailure(result as RuleResult, certificate)).toMatch(/\n {2}layer {5}store is the first to break it/);
  });

  it('are unknown of a subject that stands on nothing', async () => {
    const { createMemorySubject } = await import('../subject/memory.ts');
    expect(await judgeLayers(createMemorySubject(), program, options)).toBeUndefined();
  });
});
