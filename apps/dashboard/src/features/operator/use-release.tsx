import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Suspension } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { shownUrl } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { useForgetAbuse } from './queries.ts';

export const subjectOf = ({ account, qr_code }: Pick<Suspension, 'account' | 'qr_code'>): string =>
  qr_code ? shownUrl(qr_code.short_url) : account.name;

/** Asks once more, then releases. */
export function useRelease() {
  const forget = useForgetAbuse();
  const release = useMutation({
    mutationFn: ({ id }: Suspension) => call('releaseSuspension', { params: { id } }),
    onSuccess: async suspension => {
      notifyDone(`${subjectOf(suspension)} is released.`);
      await forget();
    },
    onError: error => notifyProblem(error, 'It was not released'),
  });
  const ask = (suspension: Suspension) =>
    modals.openConfirmModal({
      title: suspension.subject === 'code' ? 'Release this code?' : 'Release this account?',
      children: (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {suspension.subject === 'code' ? (
            <>
              <b>{subjectOf(suspension)}</b> sends people on again at once, unless something else stops it.
            </>
          ) : (
            <>
              The links of <b>{subjectOf(suspension)}</b> send people on again at once. Codes that were
              suspended one by one stay suspended.
            </>
          )}
        </Text>
      ),
      labels: { confirm: 'Release', cancel: 'Cancel' },
      onConfirm: () => release.mutate(suspension),
    });
  return { ask, releasing: release.isPending ? release.variables.id : null };
}
