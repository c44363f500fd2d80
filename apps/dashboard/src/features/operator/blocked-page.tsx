import { Button } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
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

const route = getRouteApi('/inside/operator/blocked-hosts');

/** Where no code may lead: hosts that an operator has blocked, and lists that were imported. */
export function BlockedPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(blockedHostsQuery(search));
  return (
    <Page
      title="Blocked hosts"
      description="Where no code of this server may lead. Codes that lead there already are suspended, and owners are told why."
      actions={
        <Button leftSection={<IconWorldOff size={18} aria-hidden />} onClick={() => openBlockHost()}>
          Block a host
        </Button>
      }
    >
      <Panel title="Hosts" description="Each with all its subdomains.">
        <QueryView query={query}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title="No host is blocked">
                Block one when several codes lead to the same bad place. For a single code, suspend the code.
              </Empty>
            ) : (
              <>
                <HostsTable hosts={data} />
                <Pager
                  pages={pagination}
                  what="blocked hosts"
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
