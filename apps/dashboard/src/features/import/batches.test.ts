import type { BulkResult } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { ApiError, unreachable } from '../../api/api-error.ts';
import { afterFailure, batchesOf, bodyOf, outcomeOf } from './batches.ts';
import type { ImportRow } from './import-row.ts';
import { roomFor } from './room.ts';

const row = (number: number, more: Partial<ImportRow> = {}): ImportRow => ({
  number,
  name: `Menu ${number}`,
  destination: `https://a.example/${number}`,
  ending: '',
  ...more,
});
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at + 1));

describe('rows are sent in batches', () => {
  test('of 500, or as many as the plan allows in a minute, each with a key of its own', () => {
    const batches = batchesOf(rows(1201), 500);
    expect(batches.map(batch => batch.rows.length)).toEqual([500, 500, 201]);
    expect(new Set(batches.map(batch => batch.key)).size).toBe(3);
    expect(batches.flatMap(batch => batch.rows)).toEqual(rows(1201));
    expect(batchesOf(rows(25), 10)).toHaveLength(3);
    expect(batchesOf([], 500)).toEqual([]);
  });

  test('of no more bytes than the server takes', () => {
    const long = Array.from({ length: 500 }, (_, at) =>
      row(at + 1, { destination: `https://a.example/${'a'.repeat(4000)}` }),
    );
    const batches = batchesOf(long, 500);
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches)
      expect(JSON.stringify(bodyOf(batch, {})).length).toBeLessThan(5 * 1024 * 1024);
  });

  test('an empty ending is left out, so that one is generated', () => {
    const [batch] = batchesOf([row(1), row(2, { ending: 'menu' })], 500);
    expect(bodyOf(batch!, { dotsType: 'dots' }).items).toEqual([
      { name: 'Menu 1', destination_url: 'https://a.example/1', style: { dotsType: 'dots' } },
      {
        name: 'Menu 2',
        destination_url: 'https://a.example/2',
        style: { dotsType: 'dots' },
        short_code: 'menu',
      },
    ]);
  });
});

test('tags, external id, note, domain and details go with the code', () => {
  const more = {
    tags: ['a'],
    externalId: 'x',
    note: 'n',
    domain: 'go.brand.example',
    metadata: { table: '4' },
  };
  const [batch] = batchesOf([row(1, { more })], 500);
  expect(bodyOf(batch!, {}).items[0]).toMatchObject({
    tags: ['a'],
    external_id: 'x',
    note: 'n',
    domain: 'go.brand.example',
    metadata: { table: '4' },
  });
});

test('what was created and what was refused come back by row, with the reason in its cell', () => {
  const error = (code: string, message: string, param?: string, errors?: object[]) => ({
    code,
    message,
    request_id: 'r',
    doc_url: 'd',
    ...(param ? { param } : {}),
    ...(errors ? { errors } : {}),
  });
  const code = {
    id: 'qr_1',
    image_url: 'https://go.example/i/qr_1',
    name: 'Menu 1',
    destination_url: 'https://a.example/1',
    short_code: 'x',
    short_url: 'https://go.example/x',
  };
  const data = [
    { index: 0, status: 'created', qr_code: code },
    { index: 1, status: 'failed', error: error('short_code_taken', 'x is in use', 'short_code') },
    {
      index: 2,
      status: 'failed',
      error: error('destination_blocked', 'evil.example is blocked', 'destination_url'),
    },
    { index: 3, status: 'failed', error: error('forbidden', 'Not today') },
    {
      index: 4,
      status: 'failed',
      error: error('invalid_request', 'two', 'name', [
        { code: 'invalid_request', message: 'name must be shorter', param: 'name' },
        { code: 'reserved_short_code', message: 'docs is a path', param: 'short_code' },
      ]),
    },
  ];
  const dryRun = { created: 1, failed: 0, data: [{ index: 0, status: 'valid' }] } as unknown as BulkResult;
  expect(outcomeOf(batchesOf(rows(1), 500)[0]!, dryRun)).toEqual({ created: [], refused: [] });
  const [batch] = batchesOf(rows(5), 500);
  const { created, refused } = outcomeOf(batch!, { created: 1, failed: 4, data } as unknown as BulkResult);
  expect(created).toEqual([
    {
      number: 1,
      id: 'qr_1',
      imageUrl: 'https://go.example/i/qr_1',
      name: 'Menu 1',
      destination: 'https://a.example/1',
      ending: 'x',
      domain: '',
      shortUrl: 'https://go.example/x',
    },
  ]);
  expect(refused.map(one => [one.number, Object.keys(one.refused!)])).toEqual([
    [2, ['ending']],
    [3, ['destination']],
    [4, ['row']],
    [5, ['name', 'ending']],
  ]);
  expect(refused[1]!.refused!.destination).toBe('evil.example is blocked');
  expect(refused[3]!.refused!.name).toBe('Must be shorter');
});

test('a row whose ending belonged to a deleted code of the account reclaims it when it is sent again, unless the ending was changed', () => {
  const [batch] = batchesOf(rows(1), 500);
  const error = { code: 'short_code_taken', message: 'x', param: 'short_code', reclaimable: true };
  const data = [{ index: 0, status: 'failed', error }];
  const { refused } = outcomeOf(batch!, { created: 0, failed: 1, data } as unknown as BulkResult);
  const again = { ...refused[0]!, ending: 'menu', reclaimable: 'menu' };
  const sent = (row: typeof again) => bodyOf({ key: 'k', rows: [row] }, {}).items[0]!;
  expect(Object.keys(refused[0]!.refused!)).toEqual(['ending']);
  expect(sent(again)).toMatchObject({ short_code: 'menu', reclaim: true });
  expect(sent({ ...again, ending: 'other' })).not.toHaveProperty('reclaim');
  expect(bodyOf(batch!, {}).items[0]).not.toHaveProperty('reclaim');
});

test('only a refusal makes the rows free again; where codes may exist, the same call is repeated', () => {
  expect(afterFailure(unreachable())).toBe('ask_again');
  expect(afterFailure(new Error('timed out'))).toBe('ask_again');
  expect(afterFailure(new ApiError(503, 'unavailable', ''))).toBe('ask_again');
  expect(afterFailure(new ApiError(429, 'rate_limit_exceeded', ''))).toBe('wait');
  expect(afterFailure(new ApiError(409, 'idempotency_in_progress', ''))).toBe('wait');
  expect(afterFailure(new ApiError(403, 'quota_exceeded', ''))).toBe('give_up');
});

test('how many codes fit is the least of the limits of the mode', () => {
  const account = {
    code_quota: 100,
    quota_scope: 'pool',
    codes_used: 60,
    session_codes: 50,
    session_codes_used: 20,
    test_codes: 10,
    test_codes_used: 12,
  } as const;
  expect(roomFor(account, 'live')).toBe(30);
  expect(roomFor({ ...account, session_codes: null }, 'live')).toBe(40);
  expect(roomFor({ ...account, session_codes: null, quota_scope: 'api' }, 'live')).toBe(Infinity);
  expect(roomFor(account, 'test')).toBe(0);
});
