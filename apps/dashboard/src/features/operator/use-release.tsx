import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Suspension } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { shownUrl } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { useForgetAbuse } from './queries.ts';

const text = operatorText.release;

export const subjectOf = ({ account, qr_code }: Pick<Suspension, 'account' | 'qr_code'>): string =>
  qr_code ? shownUrl(qr_code.short_url) : account.name;

/** Asks once more, then releases. */
export function useRelease() {
  const forget = useForgetAbuse();
  const release = useMutation({
    mutationFn: ({ id }: Suspension) => call('releaseSuspension', { params: { id } }),
    onSuccess: async suspension => {
      notifyDone(text.done(subjectOf(suspension)));
      await forget();
    },
    onError: error => notifyProblem(error, text.failed),
  });
  const ask = (suspension: Suspension) =>
    modals.openConfirmModal({
      title: text.title[suspension.subject],
      children: (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Sentence
            text={suspension.subject === 'code' ? text.codeText : text.accountText}
            parts={{ name: <b>{subjectOf(suspension)}</b> }}
          />
        </Text>
      ),
      labels: { confirm: text.action, cancel: operatorText.cancel },
      onConfirm: () => release.mutate(suspension),
    });
  return { ask, releasing: release.isPending ? release.variables.id : null };
}
