import { reasonCodes, warningCodes } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { namedWarning, reasonInWords, ruleWarnings, warningInWords } from './rule-words.ts';

const lunch = { rule_index: 1, rule_name: 'Lunch' };

describe('a reason', () => {
  test.each(reasonCodes)('%s has a sentence', code => {
    expect(reasonInWords({ code, ...lunch, conditions: [] }, 'in English')).toMatch(/^(?!in English).+\.$/);
  });

  test('names what the scan has and what the rule wants', () => {
    const country = { name: 'country', holds: false, value: 'DE', wanted: ['AT', 'CH'], wanted_count: 12 };
    expect(reasonInWords({ code: 'rule_fails', ...lunch, conditions: [country] }, '')).toBe(
      'Rule 2 (Lunch) does not apply: Country Germany is none of Austria, Switzerland, ….',
    );
    const language = { name: 'language', holds: true, value: '', wanted: ['de'], wanted_count: 1 };
    expect(
      reasonInWords({ code: 'rule_excepted', rule_index: 0, rule_name: '', conditions: [language] }, ''),
    ).toBe('Rule 1 does not apply, because its exception does: Language (none) is one of German.');
  });

  test('times are on the clock of the rule', () => {
    const time = {
      name: 'time',
      holds: true,
      value: '2026-11-17T11:00:00.000Z',
      wanted: ['mon 11:00 to 14:30'],
      wanted_count: 1,
      time_zone: 'Asia/Tokyo',
    };
    expect(reasonInWords({ code: 'rule_applies', ...lunch, conditions: [time] }, '')).toMatch(
      /^Rule 2 \(Lunch\) applies: Time of the week Tue.*Nov 17.*8:00.PM matches\.$/,
    );
  });

  test('of a later server is said in its words', () => {
    expect(reasonInWords({ code: 'later' as 'off' }, 'The moon is full.')).toBe('The moon is full.');
    expect(warningInWords({ code: 'later' as 'more' }, 'The moon is full.')).toBe('The moon is full.');
  });
});

describe('a warning', () => {
  test.each(warningCodes)('%s has a sentence', code => {
    const said = warningInWords({ code, value: 'ZZ', before_index: 0, count: 3 }, 'in English');
    expect(said).toMatch(/^(?!in English).+\.$/);
  });

  test('is shown at its rule, and elsewhere begins with it', () => {
    const details = [
      { code: 'unknown_country', value: 'ZZ', rule_index: 1, rule_name: 'Lunch' },
      { code: 'never_reached', rule_index: 2, rule_name: '', before_index: 0 },
      { code: 'more', count: 3 },
    ] as const;
    expect([0, 1, 2].map(place => ruleWarnings(details, [], place))).toEqual([
      [],
      ['No country has the code ZZ, so no scan has it.'],
      ['It never applies, because Rule 1 comes before it and has no conditions.'],
    ]);
    expect(namedWarning(details[0], '')).toBe(
      'Rule 2 (Lunch): No country has the code ZZ, so no scan has it.',
    );
    expect(namedWarning(details[2], '')).toBe('There are 3 more warnings.');
  });
});
