import { expect, test } from 'vitest';
import { formatId, toIdBytes, zeroId } from '../kernel/ids.ts';
import { createLinkRules, type StoredLinkRules } from './link-rules.ts';
import type { Rule, Scanner } from './rule.ts';

const [ruleId, targetId, qrCodeId] = ['1', '2', '3'].map(
  digit => `${digit.repeat(8)}-0000-7000-8000-000000000000`,
) as [string, string, string];
const link = { qrCodeId, location: 'https://home.example/' };

const routingOf = (more: Partial<StoredLinkRules>) =>
  createLinkRules(
    JSON.stringify({
      shortCode: 'Menu',
      rules: null,
      fallback: null,
      startsAtMs: null,
      expiresAtMs: null,
      usedUp: false,
      forward: false,
      append: null,
      placements: null,
      ...more,
    }),
  );
const rule = (more: Partial<Rule> = {}): Rule => ({
  id: ruleId,
  name: '',
  active: true,
  when: {},
  unless: {},
  to: [{ id: targetId, url: 'https://büro.example/ü', weight: 1, label: '' }],
  ...more,
});
const scanner: Scanner = {
  atMs: 0,
  device: 'android',
  browser: 'chrome',
  country: 'AT',
  region: '',
  city: '',
  languages: ['de-at', 'en'],
  query: new URLSearchParams(),
  placement: 'till',
  visitor: new Uint8Array(16),
};

test('a rule that applies gives its target, in the form of a header', () => {
  const routing = routingOf({ rules: [rule({ active: false }), rule()] });
  expect(routing.chooseRoute(link, scanner, 'x=1')).toEqual({
    location: 'https://xn--bro-hoa.example/%C3%BC',
    ruleId,
    targetId,
    idBytes: toIdBytes(ruleId, targetId),
  });
});

test('without a rule that applies the destination is used, and with none at all too', () => {
  const home = { location: link.location, ruleId: zeroId, targetId: zeroId, idBytes: null };
  expect(routingOf({ rules: [rule({ when: { device: ['ios'] } })] }).chooseRoute(link, scanner, '')).toEqual(
    home,
  );
  expect(routingOf({ placements: ['till'] }).chooseRoute(link, scanner, 'x=1')).toEqual(home);
});

test('macros are replaced by what is known of the scan, and empty where no rule decided', () => {
  const append = {
    a: '{qr_id}/{short_code}/{placement}',
    b: '{country}-{device}-{language}',
    c: '{rule}{target}',
  };
  expect(routingOf({ append, rules: [rule()] }).chooseRoute(link, scanner, '').location).toBe(
    `https://xn--bro-hoa.example/%C3%BC?a=${formatId('qr', qrCodeId)}%2FMenu%2Ftill&b=AT-android-de&c=${formatId('rul', ruleId)}${formatId('tgt', targetId)}`,
  );
  expect(routingOf({ append: { c: '[{rule}{target}]' } }).chooseRoute(link, scanner, '').location).toBe(
    'https://home.example/?c=%5B%5D',
  );
  const silent = { ...scanner, languages: [], placement: '' };
  expect(routingOf({ append: { l: '{language}{placement}' } }).chooseRoute(link, silent, '').location).toBe(
    'https://home.example/?l=',
  );
});

test('macros ask a link for its id, which links in memory write only then', () => {
  const inMemory = new (class {
    readonly location = link.location;
    get qrCodeId() {
      return qrCodeId;
    }
  })();
  expect(routingOf({ append: { a: '{qr_id}' } }).chooseRoute(inMemory, scanner, '').location).toBe(
    `https://home.example/?a=${formatId('qr', qrCodeId)}`,
  );
});

test('the query is passed on where the owner wants it', () => {
  expect(routingOf({ forward: true }).chooseRoute(link, scanner, 'x=1').location).toBe(
    'https://home.example/?x=1',
  );
});

test('hosts are those of all targets and of the fallback, each once, as they are blocked', () => {
  const other = rule({
    active: false,
    to: [
      { id: targetId, url: 'https://OTHER.example:8443/', weight: 1, label: '' },
      { id: targetId, url: 'https://büro.example/2', weight: 1, label: '' },
    ],
  });
  const routing = routingOf({ rules: [rule(), other], fallback: 'https://fall.example./ü' });
  expect(routing.hosts).toEqual(['xn--bro-hoa.example', 'other.example', 'fall.example']);
  expect(routing.fallback).toBe('https://fall.example./%C3%BC');
  expect(routingOf({}).hosts).toEqual([]);
  expect(routingOf({}).fallback).toBeNull();
});

test('only registered keys are placements', () => {
  const routing = routingOf({ placements: ['till', 'window'] });
  expect(['till', 'window', 'door', ''].map(routing.findPlacement)).toEqual(['till', 'window', '', '']);
  expect(routingOf({}).findPlacement('till')).toBe('');
});

test('is off before it begins, from its end on, and once it is used up', () => {
  const routing = routingOf({ startsAtMs: 10, expiresAtMs: 20 });
  expect([9, 10, 19, 20].map(routing.offAt)).toEqual(['not_begun', null, null, 'ended']);
  expect(routingOf({ startsAtMs: 10, usedUp: true }).offAt(9)).toBe('not_begun');
  expect(routingOf({ usedUp: true }).offAt(0)).toBe('used_up');
  expect(routingOf({}).offAt(0)).toBeNull();
});

test('nothing is read before it is needed, and what it was made from is kept', () => {
  const broken = createLinkRules('not JSON');
  expect(broken.text).toBe('not JSON');
  expect(() => broken.hosts).toThrow();
});
