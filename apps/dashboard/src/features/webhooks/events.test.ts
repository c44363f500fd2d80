import { webhookEventKinds } from '@signpost/contract';
import { expect, test } from 'vitest';
import { eventKinds, eventsInWords } from './events.ts';

test('every event of the API can be chosen', () => {
  expect(eventKinds).toEqual([...webhookEventKinds]);
});

test('the events of an endpoint are told in words, in one order', () => {
  expect(eventsInWords(['scan.created'])).toBe('Scans');
  expect(eventsInWords(['qrcode.released', 'scan.created'])).toBe('Scans, Codes released');
});
