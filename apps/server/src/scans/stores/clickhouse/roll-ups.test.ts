import { describe, expect, test } from 'vitest';
import type { Filters, Scope } from '../scope.ts';
import { countSource, quarterSource, visitorSource } from './roll-ups.ts';

const [dayMs, quarterMs] = [86_400_000, 900_000];
const days = [20_000 * dayMs, 20_030 * dayMs];
const quarters = days.map(at => at + quarterMs);
const moments = days.map(at => at + 1_000);

const account: Scope = { accountId: 'a', mode: 'live' };
const scopeOf = (filters: Filters): Scope => ({ ...account, qrCodeId: 'c', filters });

type Source = ReturnType<typeof countSource>;
const named = ({ grain, preference }: Source) => `${grain} ${preference.projection ?? 'rows'}`;
const rows = 'moment rows';

describe('without filters', () => {
  const code = scopeOf({});

  test('visitors come from days, quarter hours or rows, as the period begins and ends', () => {
    expect(named(visitorSource(code, days))).toBe('day code_days');
    expect(named(visitorSource(code, quarters))).toBe('quarter code_quarters');
    expect(visitorSource(code, moments).grain).toBe('moment');
    expect(named(visitorSource(account, days))).toBe('day account_days');
    expect(named(visitorSource({ ...account, excludedCodes: ['x'] }, days))).toBe('day code_days');
  });

  test('counts come from the roll-up that keeps their columns apart', () => {
    expect(named(countSource(code, ['city', 'country']))).toBe('day code_places');
    expect(named(countSource(account, ['device', 'browser']))).toBe('day account_days');
    expect(named(countSource(account, ['qr_code_id']))).toBe('day code_days');
  });

  test('hours come from quarter hours, unless the period begins between them', () => {
    expect(named(quarterSource(code, days))).toBe('quarter code_quarters');
    expect(named(quarterSource(account, quarters))).toBe('quarter account_quarters');
    expect(named(quarterSource(code, moments))).toBe(rows);
  });
});

describe('with filters', () => {
  test.each<[Filters, visitors: string, places: string, agents: string, codes: string]>([
    [{ device: 'ios' }, 'day code_days', rows, 'day code_days', 'day code_days'],
    [{ device: 'ios', browser: 'safari' }, 'day code_days', rows, 'day code_days', 'day code_days'],
    [{ country: 'DE' }, rows, 'day code_places', rows, 'day code_places'],
    [{ country: 'DE', city: '' }, rows, 'day code_places', rows, 'day code_places'],
    [{ city: 'Paris', browser: 'edge' }, rows, rows, rows, rows],
  ])(
    '%o: a roll-up where one has all that is asked, rows elsewhere',
    (filters, visitors, places, agents, codes) => {
      const scope = scopeOf(filters);
      expect(named(visitorSource(scope, days))).toBe(visitors);
      expect(named(visitorSource(scope, quarters))).toBe(rows);
      expect(named(quarterSource(scope, days))).toBe(rows);
      expect(named(countSource(scope, ['city', 'country']))).toBe(places);
      expect(named(countSource(scope, ['device', 'browser']))).toBe(agents);
      expect(named(countSource(scope, ['qr_code_id']))).toBe(codes);
    },
  );
});
