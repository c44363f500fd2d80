import { expect, test } from 'vitest';
import { keyPresets, presetScopes, toPreset } from './key-scopes.ts';

test.each(keyPresets)('the scopes of %s are shown as that', preset => {
  const scopes = presetScopes[preset];
  expect(toPreset(scopes)).toBe(preset);
  expect(toPreset(scopes?.toReversed() ?? null)).toBe(preset);
});

test('no choice but everything may delete codes', () => {
  for (const preset of ['read', 'edit'] as const)
    expect(presetScopes[preset]).not.toContain('qrcodes:delete');
  for (const scope of presetScopes.read!) expect(scope).toMatch(/:read$/);
});

test('other scopes are none of the choices', () => {
  expect(toPreset(['qrcodes:read'])).toBeNull();
  expect(toPreset(['accounts:write'])).toBeNull();
});
