import { expect, test } from 'vitest';
import { createIds } from '../../../kernel/ids.ts';
import type { Tracer } from '../../../platform/tracing.ts';
import { traceAttempt } from './attempt-trace.ts';

const ids = createIds({ now: () => new Date() });
const never: Tracer = { start: () => expect.fail('nothing begins here'), close: async () => {} };
const jobWith = (trace?: string) => ({
  attempts: 0,
  message: {
    id: ids.next(),
    endpointId: ids.next(),
    accountId: ids.next(),
    mode: 'live' as const,
    event: 'scan.created' as const,
    qrCodeId: null,
    body: '{}',
    createdAt: new Date(),
    trace,
  },
});
const sampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('an attempt is traced only if its scan was: it never starts a trace', () => {
  expect(traceAttempt(never, jobWith())).toBeNull();
  expect(traceAttempt(never, jobWith('no traceparent'))).toBeNull();
  expect(traceAttempt(never, jobWith(sampled.replace(/1$/, '0')))).toBeNull();
});

test('without a tracer a trace is ignored', () => {
  expect(traceAttempt(undefined, jobWith(sampled))).toBeNull();
});
