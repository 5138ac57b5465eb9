import { expect, it } from 'vitest';
import { parseServeOptions } from './serve-options.ts';

const parse = (...args: string[]) => parseServeOptions(args, () => 'made-up');

it('serves memory on free ports of this machine to one made-up caller where nothing is said', () => {
  expect(parse()).toEqual({
    store: 'memory',
    postgres: undefined,
    host: '127.0.0.1',
    port: 0,
    grpcPort: 0,
    callers: { 'made-up': 'me' },
  });
});

it('takes a store, ports and callers', () => {
  const options = parse(
    '--store',
    'postgres',
    '--postgres',
    'embedded',
    '--port',
    '8080',
    '--grpc-port',
    '8081',
    '--caller',
    'alice=s3=c',
    '--caller',
    'bob=t',
  );
  expect(options).toMatchObject({
    store: 'postgres',
    postgres: 'embedded',
    port: 8080,
    grpcPort: 8081,
    callers: { 's3=c': 'alice', t: 'bob' },
  });
});

it.each([
  ['--store', 'redis'],
  ['--port', '65536'],
  ['--port', '-1'],
  ['--port', ''],
  ['--grpc-port', 'x'],
  ['--caller', 'alice'],
  ['--caller', '=token'],
  ['--postgres', 'embedded'],
  ['--unknown'],
  ['memory'],
])('refuses %j %j with status 3', (...args) => {
  expect(() => parse(...args)).toThrow(expect.objectContaining({ name: 'UsageError', status: 3 }));
});
