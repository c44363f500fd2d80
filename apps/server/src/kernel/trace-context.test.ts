import { expect, test } from 'vitest';
import { newSpanId, newTraceId, parseTraceparent, toTraceparent } from './trace-context.ts';

test('a context survives formatting and parsing', () => {
  const context = { traceId: newTraceId(), spanId: newSpanId() };
  expect(parseTraceparent(toTraceparent(context))).toEqual(context);
});

test.each([
  undefined,
  '',
  'nonsense',
  `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
  `00-${'a'.repeat(31)}-${'b'.repeat(16)}-01`,
])('%s is no context of something sampled', text => expect(parseTraceparent(text)).toBeNull());
