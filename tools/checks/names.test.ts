import { expect, test } from 'vitest';
import { findNameFaults } from './names.ts';

test('only what creates and checks LinkNames knows the short base URL', () => {
  const text = 'const base = config.shortBaseUrl;\n';
  expect(findNameFaults('roles/shared.ts', text)).toEqual([]);
  expect(findNameFaults('doctor/settings.ts', text)).toEqual([]);
  expect(findNameFaults('images/routes.ts', text)).toEqual([
    'images/routes.ts: use LinkNames, not the setting',
  ]);
  expect(findNameFaults('images/routes.ts', '// SHORT_BASE_URL\n')).toHaveLength(1);
});

test.each([
  'export function hostOf(url: URL): string {',
  'const rulesIn = (body: Body): Rules => body.rules;',
  'const pageOf: Reader = async (query) => query;',
])('%s is found', text => expect(findNameFaults('http/a.ts', text)).toHaveLength(1));

test.each(['export const oneOf = (names: string[]) => names;', 'const proof = 1;', 'hostOf(url);'])(
  '%s is not',
  text => expect(findNameFaults('http/a.ts', text)).toEqual([]),
);
