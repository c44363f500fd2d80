import { expect, test } from 'vitest';
import { describeConditions } from './describe-conditions.ts';
import type { Conditions } from './rule.ts';

const all: Required<Conditions> = {
  device: ['ios', 'android'],
  browser: ['safari'],
  country: ['DE', 'XX'],
  region: [{ country: 'DE', region: 'Bavaria' }],
  city: [
    { country: 'DE', city: 'Berlin' },
    { country: 'US', city: 'Portland', region: 'Maine' },
  ],
  language: ['de'],
  time: { timezone: 'Europe/Berlin', windows: [{ days: ['mon', 'fri'], from: '11:00', to: '14:30' }] },
  date: { from: '2026-12-01T00:00:00Z', until: '2026-12-24T00:00:00Z' },
  query: [{ name: 'vip' }, { name: 'table', value: '4' }],
  placement: ['window'],
};

test('every kind of condition is in the description', () => {
  expect(describeConditions({ when: all, unless: {} })).toBe(
    'device ios, android; browser safari; country DE, XX; region Bavaria (DE); city Berlin (DE), Portland (Maine, US); language de; time mon fri 11:00–14:30 Europe/Berlin; date from 2026-12-01T00:00:00Z until 2026-12-24T00:00:00Z; query vip, table=4; placement window',
  );
});

test('a rule without conditions applies always, except where its exceptions hold', () => {
  expect(describeConditions({ when: {}, unless: {} })).toBe('always');
  expect(describeConditions({ when: {}, unless: { device: ['desktop'] } })).toBe(
    'always; except device desktop',
  );
});

test('a long description is cut', () => {
  const city = Array.from({ length: 250 }, (_, n) => ({ country: 'DE', city: `Town ${n}` }));
  expect(describeConditions({ when: { city }, unless: {} })).toMatch(/^city Town 0 .{400,500}…$/);
});
