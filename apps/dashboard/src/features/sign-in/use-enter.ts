import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { noteSignedIn } from '../../api/signed-in.ts';

/** Does what opens a session, then goes in, with nothing left of whoever was here before. */
export function useEnter<Input>(open: (input: Input) => Promise<unknown>, next = '/codes') {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: open,
    onSuccess: async () => {
      noteSignedIn(true);
      client.clear();
      await router.navigate({ href: next });
    },
  });
}
