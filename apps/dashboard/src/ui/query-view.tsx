import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';
import { Wait } from './wait.tsx';

type Props<Data> = {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  readonly height?: number;
  readonly children: (data: Data) => ReactNode;
};

/** A question to the server in its three states: waiting, refused, answered. */
export function QueryView<Data>({ query, lines, height, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return <Wait {...(lines ? { lines } : {})} {...(height ? { height } : {})} />;
}
