import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyProblem } from '../../ui/problem.tsx';

/** A session that has ended by itself needs no more. */
export async function endSession(): Promise<void> {
  try {
    await call('signOut', {}, undefined, { isSignIn: true });
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error;
  }
  noteSignedIn(false);
}

export function useSignOut() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      client.clear();
    },
    onError: error => notifyProblem(error, shellText.menu.notSignedOut),
  });
}
