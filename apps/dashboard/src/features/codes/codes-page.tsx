import { Box, Button, Paper, Stack, Text } from '@mantine/core';
import type { BrowseList } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { organiseText } from '../../strings/organise.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { ActiveFilters } from './active-filters.tsx';
import { CodesCards } from './codes-cards.tsx';
import { CodesFilter } from './codes-filter.tsx';
import { type CodesSearch, isFiltered, parseCodesFilters, parseCodesSearch } from './codes-search.ts';
import { CodesTable } from './codes-table.tsx';
import { ExportButton } from './export-button.tsx';
import { NewCodeButton } from './new-code-button.tsx';
import { codesQuery } from './queries.ts';
import { UseApi } from './use-api.tsx';
import { useWidth } from './use-width.ts';

const route = getRouteApi('/inside/codes');
const text = codesText.list;

/** Below this the columns leave a name too little room: a window of 900 px has 604 for the list. */
const tableFromPx = 600;

export function CodesPage() {
  const search = route.useSearch();
  const mode = useMode();
  const query = useQuery(codesQuery(mode, search));
  const isAllowed = useRoleRefusal('qrcodes:write') === undefined;
  return (
    <Page
      title={codesText.title}
      isWide
      actions={
        <>
          <ExportButton search={search} />
          {isAllowed && (
            <LinkButton to="/codes/import" variant="default">
              {codesText.importCodes}
            </LinkButton>
          )}
          <NewCodeButton />
        </>
      }
    >
      <QueryView query={query} lines={8} height={46}>
        {found =>
          // What stands here while another list is loaded says nothing about how many codes there are.
          found.pagination.total === 0 && !isFiltered(search) && !query.isPlaceholderData ? (
            <NothingListed />
          ) : (
            <List found={found} search={search} isOld={query.isPlaceholderData} />
          )
        }
      </QueryView>
    </Page>
  );
}

type ListProps = { readonly found: BrowseList; readonly search: CodesSearch; readonly isOld: boolean };

function List({ found: { data, pagination }, search, isOld }: ListProps) {
  const navigate = route.useNavigate();
  const { ref, width } = useWidth<HTMLDivElement>();
  const change = (next: CodesSearch) => void navigate({ search: next, replace: true });
  const isWide = width >= tableFromPx;
  const filters = parseCodesFilters(search);
  const chosen = useSelection(filters);
  const isMissing = data.length === 0;
  return (
    <Stack gap="md" ref={ref}>
      <CodesFilter search={search} onChange={change} withOrder={!isWide} />
      <ActiveFilters search={search} onChange={change} />
      <Paper withBorder style={{ overflow: 'hidden', opacity: isOld ? 0.6 : 1 }} aria-busy={isOld}>
        {isMissing && !isOld && (
          <Empty
            title={text.noMatch}
            action={
              <Button variant="default" onClick={() => change({})}>
                {text.showAll}
              </Button>
            }
          >
            {text.noMatchHint}
          </Empty>
        )}
        {!isMissing &&
          width > 0 &&
          (isWide ? (
            <CodesTable
              codes={data}
              chosen={chosen}
              width={width}
              sort={search.sort ?? 'created'}
              onSort={sort => change(parseCodesSearch({ ...search, page: 1, sort }))}
            />
          ) : (
            <CodesCards codes={data} chosen={chosen} />
          ))}
      </Paper>
      <Stack gap="sm" align="center">
        <Pager pages={pagination} what={text.pages} onChange={page => change({ ...search, page })} />
        <Text size="sm" c="dimmed" role="status" className="figures">
          {isOld ? '' : totalOf(pagination)}
        </Text>
      </Stack>
      <SelectionBar
        chosen={chosen}
        filters={filters}
        total={pagination.total}
        isCapped={pagination.capped ?? false}
      />
    </Stack>
  );
}

const totalOf = ({ total, capped }: BrowseList['pagination']): string =>
  capped ? organiseText.totalCapped(formatNumber(total)) : text.total(total);

/** Where every code is archived, a first code has been made long ago. */
function NothingListed() {
  const archived = useQuery(codesQuery(useMode(), { archived: true }));
  if (!archived.data?.pagination.total) return <FirstCode />;
  return (
    <Paper withBorder>
      <Empty
        title={text.allArchived.title}
        action={
          <LinkButton to="/codes" search={{ archived: true }} variant="default">
            {text.allArchived.show}
          </LinkButton>
        }
      >
        {text.allArchived.body}
      </Empty>
    </Paper>
  );
}

function FirstCode() {
  const refusal = useRoleRefusal('qrcodes:write');
  if (refusal)
    return (
      <Paper withBorder>
        <Empty title={text.noCodes}>{refusal}</Empty>
      </Paper>
    );
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Empty title={text.first.title} action={<NewCodeButton />}>
        {text.first.body}
      </Empty>
      <Box maw={680} mx="auto">
        <UseApi
          command={curlFor('POST', '/v1/qrcodes', {
            name: codesText.form.namePlaceholder,
            destination_url: 'https://example.com/menu/spring',
          })}
        />
      </Box>
    </Paper>
  );
}
