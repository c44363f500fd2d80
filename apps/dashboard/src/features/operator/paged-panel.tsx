import { Stack } from '@mantine/core';
import type { Pagination } from '@signpost/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';

type Props<Item> = {
  readonly query: UseQueryResult<{ readonly data: readonly Item[]; readonly pagination: Pagination }>;
  readonly words: Readonly<Record<'emptyTitle' | 'emptyText' | 'pages', string>>;
  readonly onPage: (page: number) => void;
  readonly children: (items: readonly Item[]) => ReactNode;
};

/** One page of a list, with the way to the others. */
export function PagedPanel<Item>({ query, words, onPage, children }: Props<Item>) {
  return (
    <QueryView query={query}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Panel>
            <Empty title={words.emptyTitle}>{words.emptyText}</Empty>
          </Panel>
        ) : (
          <Stack gap="md">
            <Panel>{children(data)}</Panel>
            <Pager pages={pagination} what={words.pages} onChange={onPage} />
          </Stack>
        )
      }
    </QueryView>
  );
}
