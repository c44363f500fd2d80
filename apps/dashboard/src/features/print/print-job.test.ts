import { expect, test } from 'vitest';
import {
  codesFault,
  copiesFault,
  layoutFault,
  sheetBody,
  sheetCount,
  startJob,
  zipBody,
} from './print-job.ts';

const job = startJob(['qr_1', 'qr_2']);

test('the start can be printed as it is, on every sheet', () => {
  for (const layout of ['avery-l7160', 'avery-5160', 'own'] as const)
    expect([layoutFault({ ...job, layout }), copiesFault(job, 2), codesFault(job, undefined)]).toEqual([
      null,
      null,
      null,
    ]);
});

test('measures that no printer could follow are said in words', () => {
  const own = (part: object) => layoutFault({ ...job, layout: 'own', own: { ...job.own, ...part } });
  expect(own({ rows: 9 })).toContain('don’t fit');
  expect(own({ label_mm: { x: 90, y: 20 } })).toContain('overlap');
  expect(own({ label_mm: { x: 5, y: 5 } })).toContain('10 mm');
  expect(own({ rows: Number.NaN })).toContain('every measure');
});

test('sheets are counted with all copies', () => {
  expect(sheetCount({ ...job, copies: 11 }, 2)).toEqual({ labels: 22, sheets: 2 });
  expect(sheetCount(job, 21)).toEqual({ labels: 21, sheets: 1 });
});

test('more labels than a file has are refused, with all copies', () => {
  expect(copiesFault({ ...job, copies: 100 }, 50)).toBeNull();
  expect(copiesFault({ ...job, copies: 100 }, 51)).toContain('5,100 labels');
  expect(copiesFault({ ...job, copies: 101 }, 1)).toContain('1 to 100');
});

test('a label for each placement is asked for only where somebody wants it', () => {
  expect(sheetBody({ ...job, inPlacements: true })).toMatchObject({ placements: 'all' });
  expect(sheetBody(job)).not.toHaveProperty('placements');
});

test('too many, too few and none are refused before anything is sent', () => {
  const matching = { ...job, which: 'matching' } as const;
  expect(codesFault(matching, 501)).toContain('500');
  expect(codesFault(matching, 0)).toContain('No codes');
  expect(codesFault({ ...job, chosen: [] }, 9)).not.toBeNull();
});

test('what is sent says which codes in one way only', () => {
  expect(sheetBody(job)).toEqual({
    qr_ids: ['qr_1', 'qr_2'],
    layout: 'avery-l7160',
    caption: 'name',
    caption_fallback: 'short_url',
    copies: 1,
  });
  const searched = {
    ...job,
    which: 'matching',
    search: { status: 'active', search: 'menu', tag: ['Tables'], page: 3 },
  } as const;
  expect(zipBody({ ...searched, design: 'dsn_1' })).toEqual({
    filter: { status: 'active', search: 'menu', tag: ['Tables'] },
    format: 'png',
    size: 1024,
    design: 'dsn_1',
  });
});
