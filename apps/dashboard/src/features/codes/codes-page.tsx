import { Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CodesFilter } from './codes-filter.tsx';
import type { CodesSearch } from './codes-search.ts';
import { CodesTable } from './codes-table.tsx';
import { NewCodeButton } from './new-code-button.tsx';
import { codesQuery } from './queries.ts';

const route = getRouteApi('/inside/codes');

export function CodesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mode = useMode();
  const query = useQuery(codesQuery(mode, search));
  const filtered = Boolean(search.status ?? search.search);
  const change = (next: CodesSearch) => void navigate({ search: next, replace: true });

  return (
    <Page
      title="Codes"
      description="Every code you have printed or are about to. Change where it leads at any time."
      actions={<NewCodeButton />}
    >
      <QueryView query={query} lines={8} height={52}>
        {({ data, pagination }) =>
          pagination.total === 0 && !filtered ? (
            <FirstCode />
          ) : (
            <Stack gap="md">
              <CodesFilter search={search} onChange={change} />
              <Paper withBorder style={{ overflow: 'hidden', opacity: query.isPlaceholderData ? 0.6 : 1 }}>
                {data.length > 0 ? (
                  <CodesTable codes={data} />
                ) : (
                  <Empty
                    title="No code matches"
                    action={
                      <Button variant="default" onClick={() => change({})}>
                        Show all codes
                      </Button>
                    }
                  >
                    Search looks at names, destinations and short codes.
                  </Empty>
                )}
              </Paper>
              <Stack gap="sm" align="center">
                <Pager pages={pagination} what="codes" onChange={page => change({ ...search, page })} />
                <Text size="sm" c="dimmed" role="status" className="figures">
                  {formatNumber(pagination.total)} {pagination.total === 1 ? 'code' : 'codes'}
                </Text>
              </Stack>
            </Stack>
          )
        }
      </QueryView>
    </Page>
  );
}

function FirstCode() {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Empty
        title="Make your first code"
        action={<NewCodeButton />}
        curl={curlFor('POST', '/v1/qrcodes', {
          name: 'Spring menu',
          destination_url: 'https://example.com/menu/spring',
        })}
      >
        A name and a destination are enough. You can change the destination later, as often as you like: the
        printed code stays the same.
      </Empty>
    </Paper>
  );
}
