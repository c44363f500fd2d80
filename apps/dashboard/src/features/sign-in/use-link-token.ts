import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token of a link in a mail. It stands behind the #, which browsers send to nobody, and is taken out of the address
 * bar at once: a screenshot, the history or a copied address does not have it.
 */
export function useLinkToken(): string {
  const inAddress = useLocation({ select: ({ hash }) => tokenIn(hash) });
  const [token, setToken] = useState(inAddress);
  useEffect(() => {
    if (inAddress === '') return;
    setToken(inAddress);
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, '', pathname + search);
  }, [inAddress]);
  return token;
}

const tokenIn = (hash: string) => new URLSearchParams(hash).get('token') ?? '';
