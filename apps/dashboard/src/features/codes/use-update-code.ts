import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { codeQuery, useForgetCodes } from './queries.ts';

/** Changes a code. When it is said to be done, every scan from then on is sent to the new place. */
export function useUpdateCode(id: string) {
  const mode = useMode();
  const client = useQueryClient();
  const forget = useForgetCodes();
  return useMutation({
    mutationFn: (body: UpdateQrCode) => call('updateQrCode', { params: { id }, body }),
    onSuccess: async (code, body) => {
      client.setQueryData(codeQuery(mode, id).queryKey, code);
      notifyDone(sayWhat(body, code.availability.state));
      await forget();
    },
    onError: error => notifyProblem(error, 'The code was not changed'),
  });
}

function sayWhat(
  { active, destination_url }: UpdateQrCode,
  availability: QrCode['availability']['state'],
): string {
  if (availability === 'suspended') return 'Saved. Scans go there when the operator releases the code.';
  if (availability === 'held') return 'Saved. The code works as soon as your e-mail is confirmed.';
  if (active === false) return 'Paused. Scans see a page that says so.';
  if (active === true) return 'Active. Scans are sent on.';
  return destination_url === undefined ? 'Saved.' : 'Saved. Scans go to the new destination from now on.';
}
