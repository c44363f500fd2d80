import { expect, test } from 'vitest';
import { createOutbox } from './outbox.ts';

function openOutbox() {
  const outcomes: string[] = [];
  const outbox = createOutbox({
    concurrency: 1,
    maxQueued: 2,
    onOutcome: (kind, outcome, { shed }) => outcomes.push([kind, outcome, ...(shed ? [shed] : [])].join(' ')),
  });
  return { outbox, outcomes };
}

test('beyond its bound it drops and counts mails, and keeps the earlier ones', async () => {
  const { outbox, outcomes } = openOutbox();
  const sent: number[] = [];
  const done = new Promise<void>(resolve => {
    for (let n = 0; n < 5; n++) {
      outbox.add('new-key', async () => {
        sent.push(n);
        if (sent.length === 2) setImmediate(resolve);
        return 'sent';
      });
    }
  });
  expect(outcomes).toEqual(Array(3).fill('new-key shed queue full'));
  await done;
  expect(sent).toEqual([0, 1]);
  expect(outcomes.slice(3)).toEqual(Array(2).fill('new-key sent'));
});

test('a mail that fails is counted, and the next is sent', async () => {
  const { outbox, outcomes } = openOutbox();
  await new Promise<void>(resolve => {
    outbox.add('reset', () => Promise.reject(new Error('mail server is down')));
    outbox.add('verify', async () => {
      setImmediate(resolve);
      return null;
    });
  });
  expect(outcomes).toEqual(['reset failed']);
});

test('closing waits for mails that are being sent, and drops the rest', async () => {
  const { outbox, outcomes } = openOutbox();
  let finish: (outcome: 'sent') => void = () => undefined;
  const started = new Promise<void>(resolve => {
    outbox.add('reset', () => {
      resolve();
      return new Promise(settle => {
        finish = settle;
      });
    });
  });
  outbox.add('verify', async () => 'sent');
  await started;
  const closed = outbox.close();
  expect(outcomes).toEqual(['verify shed shutting down']);
  finish('sent');
  await closed;
  expect(outcomes).toEqual(['verify shed shutting down', 'reset sent']);
  outbox.add('reset', async () => 'sent');
  expect(outcomes.at(-1)).toBe('reset shed shutting down');
});
