import { expect, test } from 'vitest';
import { isUnfinished, ruleFault } from './rule-faults.ts';

test('a refusal says what is wrong without the names of the API', () => {
  const wrong = 'rules.0.to.1.url must be a URL such as https://example.com.';
  expect(ruleFault({ param: 'rules.0.to.1.url', message: wrong })).toBe(
    'Destination 2: Enter a complete web address',
  );
  const blocked = 'The host evil.example is blocked.';
  expect(ruleFault({ param: 'rules.0.to.0.url', message: blocked })).toBe(`Destination 1: ${blocked}`);
  expect(ruleFault({ param: 'rules.2.when.date.until', message: 'until must be later than from.' })).toBe(
    'The rule must end after it begins.',
  );
  const many = 'rules.2.when.country must have 1 to 250 entries.';
  expect(ruleFault({ param: 'rules.2.when.country', message: many })).toBe('Must have 1 to 250 entries.');
});

test('a rule is finished when its lists have values and its destinations are addresses, with or without https', () => {
  const to = (url: string) => [{ number: 0, url, weight: 1, label: '' }];
  expect(isUnfinished({ when: {}, to: to('example.com/lunch') })).toBe(false);
  expect(isUnfinished({ when: {}, to: to('') })).toBe(true);
  expect(isUnfinished({ when: {}, to: to('mailto:a@b.example') })).toBe(true);
  expect(isUnfinished({ when: { language: [] }, to: to('example.com') })).toBe(true);
});
