import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { shellText } from '../../strings/shell.ts';
import { useMe } from './me.ts';

/** Leads to the codes of another account of theirs where somebody has lost the one that they looked at. */
export function useAccountChange(): void {
  const { account, accounts } = useMe();
  const navigate = useNavigate();
  const before = useRef(account?.id);
  const move = useEffectEvent((from: string | undefined) => {
    if (!account || from === undefined || accounts.some(({ id }) => id === from)) return;
    notifications.show({ message: shellText.accounts.gone(account.name), autoClose: 8_000 });
    void navigate({ to: '/codes', ignoreBlocker: true });
  });
  useEffect(() => {
    if (before.current !== account?.id) move(before.current);
    before.current = account?.id;
  }, [account?.id]);
}
