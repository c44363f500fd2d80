import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { onSignedOut } from '../../api/request.ts';
import { noteSignedIn } from '../../api/signed-in.ts';

/** A session can end elsewhere. The first refusal leads to the sign-in, and what was loaded is forgotten. */
export function useSessionEnd(): void {
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(
    () =>
      onSignedOut(() => {
        noteSignedIn(false);
        void navigate({ to: '/sign-in' }).then(() => client.clear());
      }),
    [navigate, client],
  );
}
