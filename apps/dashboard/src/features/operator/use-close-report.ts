import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { useForgetAbuse } from './queries.ts';

export function useCloseReport() {
  const forget = useForgetAbuse();
  return useMutation({
    mutationFn: (id: string) => call('closeReport', { params: { id } }),
    onSuccess: async () => {
      notifyDone('The report is closed. It opens again if somebody reports the link again.');
      await forget();
    },
    onError: error => notifyProblem(error, 'The report was not closed'),
  });
}

/** Closes the report that has led to something. That something is done already, whatever comes of this. */
export async function closeAfter(report: string | undefined): Promise<void> {
  if (report === undefined) return;
  await call('closeReport', { params: { id: report } }).catch((error: unknown) =>
    notifyProblem(error, 'The report is still open'),
  );
}
