import { CreateQrCode } from '@signpost/contract';
import { expect, test } from 'vitest';
import { compileValidator } from '../../http/validation/validation.ts';
import { readDubRules, readShlinkRules } from './foreign-rules.ts';

const validate = compileValidator(CreateQrCode);
const isAccepted = (routing: object) =>
  'value' in validate({ name: 'x', destination_url: 'https://example.com', ...routing });

test('Dub: devices, countries and the split become rules in the order in which Dub tries them', () => {
  const { routing, notes } = readDubRules({
    ios: 'https://apps.example/ios',
    android: 'https://apps.example/android',
    geo: { DE: 'https://example.com/de', at: 'https://example.com/at' },
    testVariants: [
      { url: 'https://example.com/a', percentage: 30 },
      { url: 'https://example.com/b', percentage: 70 },
    ],
    expiresAt: '2030-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.com/over',
  });
  expect(notes).toEqual([]);
  expect(routing).toEqual({
    rules: [
      { name: 'iOS', when: { device: ['ios'] }, to: [{ url: 'https://apps.example/ios' }] },
      { name: 'Android', when: { device: ['android'] }, to: [{ url: 'https://apps.example/android' }] },
      { name: 'DE', when: { country: ['DE'] }, to: [{ url: 'https://example.com/de' }] },
      { name: 'at', when: { country: ['AT'] }, to: [{ url: 'https://example.com/at' }] },
      {
        name: 'A/B test',
        to: [
          { url: 'https://example.com/a', weight: 30 },
          { url: 'https://example.com/b', weight: 70 },
        ],
      },
    ],
    expires_at: '2030-01-01T00:00:00.000Z',
    fallback_url: 'https://example.com/over',
  });
  expect(isAccepted(routing)).toBe(true);
  expect(readDubRules({ ios: null, geo: null, testVariants: null, expiresAt: null })).toEqual({
    routing: {},
    notes: [],
  });
});

test('Dub: cells of a CSV are read too, and what cannot be read is named', () => {
  const { routing, notes } = readDubRules({
    iOS: 'https://apps.example/ios',
    Geo: '{"FR":"https://example.com/fr"}',
    'Expires At': 'soon',
  });
  expect(routing.rules).toHaveLength(2);
  expect(notes).toEqual(['its expiresAt cannot be read']);
});

const rule = (priority: number, ...conditions: object[]) => ({
  longUrl: `https://example.com/${priority}`,
  priority,
  conditions,
});

test('Shlink: rules are taken over by priority, with the schedule and the limit', () => {
  const { routing, notes } = readShlinkRules({
    meta: {
      validSince: '2026-01-01T00:00:00+01:00',
      validUntil: '2027-01-01T00:00:00+00:00',
      maxVisits: 100,
    },
    redirectRules: [
      rule(
        2,
        { type: 'language', matchKey: null, matchValue: 'pt_BR' },
        { type: 'query-param', matchKey: 'a', matchValue: '1' },
      ),
      rule(1, { type: 'device', matchValue: 'mobile' }),
      rule(
        3,
        { type: 'before-date', matchValue: '2026-06-01T00:00:00Z' },
        { type: 'after-date', matchValue: '2026-05-01T00:00:00Z' },
      ),
      rule(
        4,
        { type: 'geolocation-country-code', matchValue: 'de' },
        { type: 'browser', matchValue: 'firefox' },
      ),
    ],
  });
  expect(notes).toEqual([]);
  expect(routing).toEqual({
    rules: [
      { when: { device: ['ios', 'android'] }, to: [{ url: 'https://example.com/1' }] },
      {
        when: { language: ['pt-BR'], query: [{ name: 'a', value: '1' }] },
        to: [{ url: 'https://example.com/2' }],
      },
      {
        when: { date: { until: '2026-06-01T00:00:00.000Z', from: '2026-05-01T00:00:00.000Z' } },
        to: [{ url: 'https://example.com/3' }],
      },
      { when: { country: ['DE'], browser: ['firefox'] }, to: [{ url: 'https://example.com/4' }] },
    ],
    starts_at: '2025-12-31T23:00:00.000Z',
    expires_at: '2027-01-01T00:00:00.000Z',
    max_scans: 100,
  });
  expect(isAccepted(routing)).toBe(true);
});

test('Shlink: what has no counterpart is named', () => {
  const { routing, notes } = readShlinkRules({
    redirectRules: [
      rule(1, { type: 'ip-address', matchValue: '192.0.2.0/24' }),
      rule(2, { type: 'device', matchValue: 'linux' }),
      rule(3, { type: 'language', matchValue: 'de' }, { type: 'language', matchValue: 'fr' }),
      rule(4, { type: 'device', matchValue: 'ios' }),
    ],
  });
  expect(routing.rules).toHaveLength(1);
  expect(notes).toEqual([
    'its rule 1 cannot be kept: there is no condition here for ip-address 192.0.2.0/24',
    'its rule 2 cannot be kept: there is no condition here for device linux',
    'its rule 3 cannot be kept: it has two conditions of the kind language',
  ]);
  expect(readShlinkRules({ hasRedirectRules: true }).notes).toEqual([
    'it has rules there, which are not in the file',
  ]);
  expect(readShlinkRules({ meta: { validSince: null, validUntil: null, maxVisits: null } })).toEqual({
    routing: {},
    notes: [],
  });
});
