import { type Operation, operations } from '@signpost/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { change, changed, validValue } from './arbitraries.ts';

const ajv = new Ajv2020({ strict: false });
const bodies = Object.values<Operation>(operations).flatMap(({ id, body }) =>
  body ? [[id, JSON.parse(JSON.stringify(body))] as const] : [],
);

describe.each(bodies)('the body of %s', (_id, schema) => {
  const validate = ajv.compile(schema);
  const values = validValue(schema, one => one);

  test('is valid by its schema', () => {
    fc.assert(fc.property(values, value => validate(value)));
  });

  test('is mostly invalid once something in it has changed', () => {
    const wrong = fc
      .sample(fc.tuple(values, fc.nat(), change), { seed: 1, numRuns: 300 })
      .filter(([value, where, how]) => !validate(changed(value, where, how)));
    expect(wrong.length).toBeGreaterThan(150);
  });
});

test('a key named __proto__ is added as an ordinary key', () => {
  const value = changed({ a: 1 }, 0, { kind: 'add', name: '__proto__', value: 1 });
  expect(JSON.stringify(value)).toBe('{"a":1,"__proto__":1}');
});
