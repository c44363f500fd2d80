import { describe, expect, test } from 'vitest';
import { addTemplate, bodyOf, draftsOf, isSame, move, type RuleDraft, templates } from './draft.ts';
import { isUnfinished } from './rule-faults.ts';
import { openIn, paintWeek, zoneOf } from './week.ts';

const now = new Date('2026-11-17T12:00:00Z');
const saved = [
  {
    id: 'rul_1',
    name: 'Lunch',
    active: true,
    when: { city: [{ country: 'DE', city: 'Berlin' }] },
    unless: { device: ['other' as const] },
    to: [{ id: 'tgt_1', url: 'https://example.com', weight: 3, label: 'A' }],
  },
];

test('rules that are not touched are sent back as they were, with what cannot be edited here', () => {
  expect(bodyOf(draftsOf(saved))).toEqual(saved);
  expect(isSame(draftsOf(saved), draftsOf(saved))).toBe(true);
  expect(isSame(draftsOf(saved), [])).toBe(false);
});

test('a rule moves to its new place, and nothing moves out of the list', () => {
  expect(move(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(move(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  for (const to of [-1, 3]) expect(move(['a', 'b', 'c'], 1, to)).toEqual(['a', 'b', 'c']);
});

test('templates add rules with numbers of their own, which wait for a destination', () => {
  let drafts: RuleDraft[] = draftsOf(saved);
  for (const name of Object.keys(templates))
    drafts = addTemplate(drafts, name as keyof typeof templates, 'UTC', now);
  expect(new Set(drafts.map(({ number }) => number)).size).toBe(drafts.length);
  expect(drafts.filter(isUnfinished)).toHaveLength(drafts.length - 1);
  expect(drafts.at(-1)!.to).toHaveLength(2);
});

describe('the week', () => {
  const draft = (more: Partial<RuleDraft>): RuleDraft => ({
    number: 0,
    name: '',
    active: true,
    when: {},
    unless: {},
    to: [],
    ...more,
  });
  const lunch = draft({
    when: {
      time: { timezone: 'Europe/Berlin', windows: [{ days: ['mon', 'tue'], from: '11:00', to: '14:30' }] },
    },
  });

  test('shows the first rule that is open in each hour', () => {
    const week = paintWeek([draft({ active: false }), lunch]);
    expect(
      [week[10], week[11], week[14], week[15], week[24 + 12], week[48 + 12]].map(hour => hour?.all),
    ).toEqual([-1, 1, 1, -1, 1, -1]);
    expect(paintWeek([lunch, draft({})]).filter(({ all }) => all === 1)).toHaveLength(7 * 24 - 8);
    expect(zoneOf([draft({}), lunch])).toBe('Europe/Berlin');
  });

  test('leaves out rules that go by something else, and stripes those that hold for some', () => {
    const german = draft({ when: { language: ['de'] } });
    const germanLunch = draft({ when: { ...lunch.when, language: ['de'] } });
    expect(paintWeek([german, lunch])[11]).toEqual({ all: 1, some: -1 });
    expect(paintWeek([german, lunch])[10]).toEqual({ all: -1, some: -1 });
    expect(paintWeek([germanLunch, lunch])[11]).toEqual({ all: 1, some: 0 });
    expect(paintWeek([lunch, germanLunch])[11]).toEqual({ all: 0, some: -1 });
  });

  test('lets a window past midnight belong to the day on which it begins', () => {
    const night = { days: ['sun' as const], from: '22:00', to: '02:00' };
    expect([
      openIn(night)(6, 22 * 60),
      openIn(night)(0, 60),
      openIn(night)(0, 120),
      openIn(night)(6, 60),
    ]).toEqual([true, true, false, false]);
  });
});
