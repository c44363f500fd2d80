import { expect, test } from 'vitest';
import { namesOf } from './code-names.ts';

const code = {
  destination_url: 'https://example.com/menu/',
  placements: [
    {
      key: 'till',
      name: 'Till',
      note: null,
      short_url: 'https://go.example/m.till',
      created_at: '2026-11-01',
    },
  ],
  rules: [
    {
      id: 'rul_1',
      name: 'Lunch',
      active: true,
      when: {},
      unless: {},
      to: [
        { id: 'tgt_1', url: 'https://example.com/lunch', weight: 1, label: '' },
        { id: 'tgt_2', url: 'https://example.com/b', weight: 1, label: 'Version B' },
      ],
    },
  ],
};

test('placements have their names, removed ones their ending, and none has a word', () => {
  const { placement } = namesOf(code);
  expect([placement('till'), placement('door'), placement('')]).toEqual([
    'Till',
    'door (removed)',
    'No placement',
  ]);
});

test('destinations are named by their label or address, those of earlier rules by the figures', () => {
  const earlier = {
    target_id: 'tgt_0',
    rule_id: 'rul_0',
    label: '',
    url: 'https://old.example/',
    scans: 1,
    unique_visitors: 1,
  };
  const { target } = namesOf(code, [earlier]);
  expect(['default', '', 'tgt_1', 'tgt_2', 'tgt_0', 'tgt_9'].map(target)).toEqual([
    'example.com/menu',
    'example.com/menu',
    'example.com/lunch',
    'Version B',
    'old.example',
    'Earlier destination',
  ]);
});
