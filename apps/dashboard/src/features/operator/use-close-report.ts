import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { useForgetAbuse } from './queries.ts';

const text = operatorText.reports;

export function useCloseReport() {
  const forget = useForgetAbuse();
  return useMutation({
    mutationFn: (id: string) => call('closeReport', { params: { id } }),
    onSuccess: async () => {
      notifyDone(text.closed);
      await forget();
    },
    onError: error => notifyProblem(error, text.closeFailed),
  });
}

/** Closes the report that has led to something. That something is done already, whatever comes of this. */
export async function closeAfter(report: string | undefined): Promise<void> {
  if (report === undefined) return;
  await call('closeReport', { params: { id: report } }).catch((error: unknown) =>
    notifyProblem(error, text.stillOpen),
  );
}
