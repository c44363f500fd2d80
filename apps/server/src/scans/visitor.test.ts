import { createHmac } from 'node:crypto';
import { visitorOf } from '@signpost/testing/scans.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { userAgentLimit } from './device/agents.ts';
import { createSaltBytes, parseWindow, toSalt, toWindowName, windowAt, windowKinds } from './visitor.ts';

const salt = toSalt(createSaltBytes());
const account = '0199a6c0-0000-7000-8000-000000000001';

describe('windows', () => {
  test('are calendar months or days in UTC', () => {
    expect(toWindowName(Date.UTC(2026, 10, 30, 23, 59, 59, 999), 'month')).toBe('2026-11');
    expect(toWindowName(Date.UTC(2026, 11, 1), 'month')).toBe('2026-12');
    expect(toWindowName(Date.UTC(2028, 1, 29, 23, 59, 59, 999), 'day')).toBe('2028-02-29');
    expect(toWindowName(Date.UTC(2028, 2, 1), 'day')).toBe('2028-03-01');
    expect(toWindowName(Date.UTC(2026, 11, 31, 23, 59, 59, 999), 'month')).toBe('2026-12');
    expect(toWindowName(Date.UTC(2027, 0, 1), 'day')).toBe('2027-01-01');
  });

  test('contain their own times and no others, and are found by name', () => {
    const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2200, 0) });
    fc.assert(
      fc.property(times, fc.constantFrom(...windowKinds), (atMs, kind) => {
        const window = windowAt(atMs, kind);
        expect(parseWindow(window.name)).toEqual(window);
        expect(toWindowName(window.startMs, kind)).toBe(window.name);
        expect(toWindowName(window.endMs - 1, kind)).toBe(window.name);
        expect(toWindowName(window.startMs - 1, kind)).not.toBe(window.name);
        expect(toWindowName(window.endMs, kind)).not.toBe(window.name);
      }),
    );
  });
});

describe('visitors', () => {
  test('are 128 bits in hex, the same for the same person', () => {
    const visitor = visitorOf(salt, account, '192.0.2.1', 'Firefox');
    expect(visitor).toMatch(/^[0-9a-f]{32}$/);
    expect(visitorOf(salt, account, '192.0.2.1', 'Firefox')).toBe(visitor);
  });

  test('are HMAC-SHA256 of account, address and user agent, as `createHmac` computes it', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 600 });
    fc.assert(
      fc.property(fc.uuid(), fc.ipV4(), texts, (accountId, address, userAgent) => {
        const bytes = createSaltBytes();
        const person = `${accountId}\0${address}\0${userAgent.slice(0, userAgentLimit)}`;
        const expected = createHmac('sha256', bytes).update(person).digest('hex').slice(0, 32);
        expect(visitorOf(toSalt(bytes), accountId, address, userAgent)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('differ by salt, account, address and user agent', () => {
    const all = [
      visitorOf(salt, account, '192.0.2.1', 'Firefox'),
      visitorOf(toSalt(createSaltBytes()), account, '192.0.2.1', 'Firefox'),
      visitorOf(salt, account.replace('1', '2'), '192.0.2.1', 'Firefox'),
      visitorOf(salt, account, '192.0.2.2', 'Firefox'),
      visitorOf(salt, account, '192.0.2.1', 'Chrome'),
      // Moving a character from one part to the next gives another visitor.
      visitorOf(salt, account, '192.0.2.1F', 'irefox'),
      visitorOf(salt, `${account}1`, '92.0.2.1', 'Firefox'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('no two of 10,000 random ones are equal', () => {
    const visitors = new Set<string>();
    const inputs = fc.sample(fc.tuple(fc.uuid(), fc.oneof(fc.ipV4(), fc.ipV6()), fc.string()), 10_000);
    const distinct = new Set<string>();
    for (const [accountId, address, userAgent] of inputs) {
      // A counter makes the inputs distinct, since random input may repeat.
      const agent = `${userAgent.slice(0, 100)}${visitors.size}`;
      distinct.add(`${accountId} ${address} ${agent}`);
      visitors.add(visitorOf(salt, accountId, address, agent));
    }
    expect(visitors.size).toBe(distinct.size);
    expect(visitors.size).toBe(10_000);
  });

  test('moving within an IPv6 /64 changes nothing, moving out of it does', () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map(number => number.toString(16));
    const groups = fc.array(group, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(groups, groups, groups, (network, one, other) => {
        const here = visitorOf(salt, account, [...network, ...one].join(':'), 'Firefox');
        expect(visitorOf(salt, account, [...network, ...other].join(':'), 'Firefox')).toBe(here);
        expect(visitorOf(salt, account, `${network.join(':')}::7`, 'Firefox')).toBe(here);
        const next = [...network.slice(0, 3), (Number.parseInt(network[3]!, 16) ^ 1).toString(16)];
        expect(visitorOf(salt, account, [...next, ...one].join(':'), 'Firefox')).not.toBe(here);
      }),
    );
  });
});
