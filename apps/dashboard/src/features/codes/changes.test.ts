import { expect, test } from 'vitest';
import { describeChange, inverseOf } from './changes.ts';

const code = {
  id: 'qr_1',
  name: 'Menu',
  destination_url: 'https://a.example',
  status: 'active' as const,
  archived: false,
  tags: ['menu'],
  note: null,
  external_id: 'menu-1',
  metadata: { branch: 'Hamburg' },
};

test('an edit is taken back by the values from before, and by those alone', () => {
  expect(inverseOf(code, { name: 'Other' })).toEqual({ name: 'Menu' });
  expect(inverseOf(code, { destination_url: 'https://b.example' })).toEqual({
    destination_url: 'https://a.example',
  });
  expect(inverseOf(code, { tags: [], note: 'x' })).toEqual({ tags: ['menu'], note: null });
  expect(inverseOf(code, { external_id: null, metadata: { branch: null, table: '4' } })).toEqual({
    external_id: 'menu-1',
    metadata: { branch: 'Hamburg', table: null },
  });
  expect(inverseOf(code, { metadata: null })).toEqual({ metadata: { branch: 'Hamburg' } });
  expect(inverseOf(code, { active: false })).toEqual({ active: true });
  expect(inverseOf({ ...code, status: 'paused' }, { active: true })).toEqual({ active: false });
});

test('publishing a draft cannot be taken back', () => {
  expect(inverseOf({ ...code, status: 'draft' }, { active: true })).toBeNull();
});

test('an edit is said by its result', () => {
  expect(describeChange(code, { active: false }, 'off')).toBe('Code paused.');
  expect(describeChange({ ...code, status: 'draft' }, { active: true }, 'live')).toContain('published');
  expect(describeChange(code, { destination_url: 'https://b.example' }, 'live')).toBe('Destination changed.');
  expect(describeChange(code, { name: 'Other' }, 'live')).toBe('Code renamed.');
  expect(describeChange(code, { tags: [] }, 'live')).toBe('Changes saved.');
  expect(describeChange(code, { destination_url: 'https://b.example' }, 'suspended')).toContain('released');
});
