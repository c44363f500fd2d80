import type { Attempt, Delivery, Webhook } from '@signpost/contract';
import { webhooksText } from '../../strings/webhooks.ts';
import { statusText } from './status-text.ts';

const { states, outcomes } = webhooksText;

type State = { readonly label: string; readonly color: string; readonly advice?: string };

/** How an endpoint is, in words, with what to do about it. */
export function stateOf({
  enabled,
  disabled_reason,
  failing_since,
}: Pick<Webhook, 'enabled' | 'disabled_reason' | 'failing_since'>): State {
  if (enabled && failing_since)
    return {
      label: states.failing,
      color: 'orange',
      advice: states.failingAdvice,
    };
  if (enabled) return { label: states.on, color: 'signpost' };
  switch (disabled_reason) {
    case 'gone':
      return {
        label: states.gone,
        color: 'red',
        advice: states.goneAdvice,
      };
    case 'failing':
      return {
        label: states.stopped,
        color: 'red',
        advice: states.stoppedAdvice,
      };
    default:
      return { label: states.off, color: 'gray' };
  }
}

export const deliveryColors: Readonly<Record<Delivery['status'], string>> = {
  delivered: 'signpost',
  pending: 'gray',
  failed: 'red',
};

/** Which limit a delivery waits for, in words; null where it waits for none. */
export const waitOf = ({ waiting_for }: Pick<Delivery, 'waiting_for'>): string | null =>
  waiting_for && webhooksText.waits[waiting_for];

/** What came of an attempt, in words: `500 Internal Server Error`. */
export function outcomeOf({ error, response_status }: Pick<Attempt, 'error' | 'response_status'>): string {
  if (response_status !== null && (!error || error === 'status')) return statusText(response_status);
  if (!error) return outcomes.notTried;
  const reason = error === 'status' ? outcomes.noStatus : outcomes[error];
  return response_status === null ? reason : `${statusText(response_status)}: ${reason}`;
}
