import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Page } from '../../ui/page.tsx';
import { PagedPanel } from './paged-panel.tsx';
import { PeopleTable } from './people-table.tsx';
import { peopleQuery } from './queries.ts';
import { parsePeopleSearch } from './search.ts';
import { SearchForm } from './search-form.tsx';
import { StateTabs } from './state-tabs.tsx';

const route = getRouteApi('/inside/operator/people');
const text = operatorText.people;

/** Everybody who can sign in. */
export function PeoplePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(peopleQuery(search));
  const go = (next: object) => void navigate({ search: parsePeopleSearch({ ...search, page: 1, ...next }) });
  return (
    <Page title={text.title}>
      <SearchForm
        key={search.search ?? ''}
        label={text.searchLabel}
        placeholder={text.searchPlaceholder}
        value={search.search ?? ''}
        onSearch={next => go({ search: next })}
      />
      <StateTabs
        tabs={[
          ['all', text.tabs.all],
          ['operators', text.tabs.operators],
          ['unconfirmed', text.tabs.unconfirmed],
        ]}
        value={search.state ?? 'all'}
        onChange={state => go({ state })}
      >
        <PagedPanel query={query} words={text} onPage={page => go({ page })}>
          {items => <PeopleTable people={items} />}
        </PagedPanel>
      </StateTabs>
    </Page>
  );
}
