import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Page } from '../../ui/page.tsx';
import { AccountsTable } from './accounts-table.tsx';
import { PagedPanel } from './paged-panel.tsx';
import { accountsQuery, plansQuery } from './queries.ts';
import { parseAccountsSearch } from './search.ts';
import { SearchForm } from './search-form.tsx';
import { StateTabs } from './state-tabs.tsx';

const route = getRouteApi('/inside/operator/accounts');
const text = operatorText.accounts;

/** Every account, with its plan and how much of it is used. */
export function AccountsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(accountsQuery(search));
  const plans = useQuery(plansQuery).data?.data ?? [];
  const go = (next: object) =>
    void navigate({ search: parseAccountsSearch({ ...search, page: 1, ...next }) });
  return (
    <Page title={text.title}>
      <Group gap="sm" align="flex-end">
        <div style={{ flex: '1 1 20rem' }}>
          <SearchForm
            key={search.search ?? ''}
            label={text.searchLabel}
            placeholder={text.searchPlaceholder}
            value={search.search ?? ''}
            onSearch={next => go({ search: next })}
          />
        </div>
        <Select
          label={text.planFilter}
          data={[{ value: '', label: text.anyPlan }, ...plans.map(({ name }) => name)]}
          value={search.plan ?? ''}
          onChange={plan => go({ plan: plan ?? '' })}
          allowDeselect={false}
          w={160}
        />
      </Group>
      <StateTabs
        tabs={[
          ['open', text.tabs.open],
          ['suspended', text.tabs.suspended],
          ['closed', text.tabs.closed],
        ]}
        value={search.state ?? 'open'}
        onChange={state => go({ state })}
      >
        <PagedPanel query={query} words={text} onPage={page => go({ page })}>
          {items => <AccountsTable accounts={items} />}
        </PagedPanel>
      </StateTabs>
    </Page>
  );
}
