import { Button } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { openBlockHost } from './block-host.tsx';
import { HostsTable } from './hosts-table.tsx';
import { ListsPanel } from './lists-panel.tsx';
import { blockedHostsQuery } from './queries.ts';
import { parsePageSearch } from './search.ts';

const text = operatorText.hosts;

const route = getRouteApi('/inside/operator/blocked-hosts');

/** Where no code may lead: hosts that an operator has blocked, and lists that were imported. */
export function BlockedPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(blockedHostsQuery(search));
  return (
    <Page
      title={text.title}
      actions={
        <Button leftSection={<IconWorldOff size={18} aria-hidden />} onClick={() => openBlockHost()}>
          {text.block}
        </Button>
      }
    >
      <Panel title={text.hosts} description={text.hostsText}>
        <QueryView query={query}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title={text.emptyTitle}>{text.emptyText}</Empty>
            ) : (
              <>
                <HostsTable hosts={data} />
                <Pager
                  pages={pagination}
                  what={text.pages}
                  onChange={page => void navigate({ search: parsePageSearch({ page }) })}
                />
              </>
            )
          }
        </QueryView>
      </Panel>
      <ListsPanel />
    </Page>
  );
}
