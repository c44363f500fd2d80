import type { Attempt, Delivery, Webhook } from '@signpost/contract';

type State = { readonly label: string; readonly color: string; readonly advice?: string };

/** How an endpoint is, in words, with what to do about it. */
export function stateOf({
  enabled,
  disabled_reason,
  failing_since,
}: Pick<Webhook, 'enabled' | 'disabled_reason' | 'failing_since'>): State {
  if (enabled && failing_since)
    return {
      label: 'Failing',
      color: 'orange',
      advice:
        'The last tries failed. Look at the deliveries below for why; what failed is tried again by itself.',
    };
  if (enabled) return { label: 'On', color: 'signpost' };
  switch (disabled_reason) {
    case 'gone':
      return {
        label: 'Off: gone',
        color: 'red',
        advice:
          'Your server answered 410 Gone, which says that nothing listens there. Turn it on when it does again.',
      };
    case 'failing':
      return {
        label: 'Off: failing',
        color: 'red',
        advice: 'Nothing but failures for five days. Mend the receiver, turn it on, then replay what failed.',
      };
    default:
      return { label: 'Off', color: 'gray' };
  }
}

export const deliveryColors: Readonly<Record<Delivery['status'], string>> = {
  delivered: 'signpost',
  pending: 'gray',
  failed: 'red',
};

const errors: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  status: 'an answer that is not 2xx',
  timeout: 'no whole answer within 15 seconds',
  dns: 'the host has no address',
  blocked_address: 'the address is private and may not be called',
  connection: 'no connection',
  tls: 'no secure connection: look at the certificate',
  disabled: 'the endpoint was off, nothing was sent',
  event_removed: 'the endpoint no longer takes this event, nothing was sent',
};

const waits: Readonly<Record<NonNullable<Delivery['waiting_for']>, string>> = {
  host_rate: 'Waiting: its server gets no more at once. It is sent as soon as there is room.',
  first_success:
    'Waiting: this address has not answered 2xx yet, so it gets 10 tries a minute. One success ends that.',
};

/** Which limit a delivery waits for, in words; null where it waits for none. */
export const waitOf = ({ waiting_for }: Pick<Delivery, 'waiting_for'>): string | null =>
  waiting_for && waits[waiting_for];

/** What came of a try, in words. */
export function outcomeOf({ error, response_status }: Pick<Attempt, 'error' | 'response_status'>): string {
  const status = response_status === null ? '' : String(response_status);
  if (!error) return status || 'Not tried yet';
  return status ? `${status}, ${errors[error]}` : errors[error];
}
