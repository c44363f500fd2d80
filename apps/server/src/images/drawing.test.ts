import { labelSheetOf } from '@signpost/qr/labels';
import { createTurns } from '@signpost/testing/turns.ts';
import { afterAll, expect, test } from 'vitest';
import { createDrawing, type LabelsJob } from './drawing.ts';

const turns = createTurns({ perAccount: 1, perProcess: 2 });
const threadErrors: unknown[] = [];
const drawing = createDrawing({ turns, onThreadError: error => threadErrors.push(error) });
afterAll(() => drawing.close());

const jobOf = (count: number): LabelsJob => ({
  sheet: labelSheetOf('avery-l7160'),
  labels: Array.from({ length: count }, (_, at) => ({
    shortUrl: `https://sign.example/table.${at}`,
    style: {},
    caption: `Table ${at}`,
  })),
  logos: new Map(),
  known: new Set(),
});

test('a thread stops after the label that it is drawing when the client has gone', async () => {
  const stays = new AbortController().signal;
  const whole = await drawing.labels('a', jobOf(200), stays);
  expect(whole.labels).toHaveLength(200);
  const client = new AbortController();
  const start = performance.now();
  const gone = drawing.labels('a', jobOf(2000), client.signal);
  setTimeout(() => client.abort(new Error('gone')), 100);
  await expect(gone).rejects.toThrow('gone');
  // All 2,000 would have taken ten times as long as the first 200.
  expect(performance.now() - start).toBeLessThan(100 + whole.cpuMs * 3);
  expect(turns.inUse).toBe(0);
  expect((await drawing.labels('a', jobOf(3), stays)).labels).toHaveLength(3);
  expect(threadErrors).toEqual([]);
});

test('labels of a client that has gone leave the queue', async () => {
  const stays = new AbortController().signal;
  const first = drawing.labels('a', jobOf(50), stays);
  const client = new AbortController();
  const waiting = drawing.labels('a', jobOf(2000), client.signal);
  client.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await first;
  expect(turns.waiting).toBe(0);
});

test('a letter that the file has is not sent again', async () => {
  const stays = new AbortController().signal;
  const { labels } = await drawing.labels('a', jobOf(2), stays);
  const sent = labels.map(({ shared }) =>
    shared.filter(({ bytes }) => bytes !== null).map(({ name }) => name),
  );
  expect(sent[0]).toEqual(expect.arrayContaining(['G54', 'G30']));
  expect(sent[1]).toEqual(['G31']);
});
