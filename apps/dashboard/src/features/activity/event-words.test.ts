import { accountOperations, isAudited, type Operation, operations } from '@signpost/contract';
import { expect, test } from 'vitest';
import { activityText } from '../../strings/activity.ts';
import { describeDetails } from './event-words.ts';

/** They concern no account, so they are in no log. */
const ofInstallation = ['blockHost', 'unblockHost', 'closeReport'];

test('there are words for every operation that leaves an event, and for no other', () => {
  const audited = Object.values<Operation>({ ...operations, ...accountOperations })
    .filter(isAudited)
    .map(({ id }) => id)
    .filter(id => !id.endsWith('BlockList') && !ofInstallation.includes(id));
  expect(Object.keys(activityText.actions).toSorted()).toEqual([...audited, 'failedSignIn'].toSorted());
});

test('codes are named as far as they are still there', () => {
  const code = (id: string, name: string | null) => ({ id: `qr_${id}`, name });
  const event = {
    subjects: [code('a', 'Menu'), code('b', null), code('c', 'Door'), code('d', 'Till')],
    fields: ['destination_url'],
    hosts: ['example.com'],
    count: 4,
  };
  expect(describeDetails(event as never)).toEqual([
    'Menu, A deleted code, Door, and 1 more',
    'Leads to example.com',
    'Changed: destination url',
  ]);
});
