import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Pager } from '../../ui/pager.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CodeEntry } from './code-entry.tsx';
import { Entries } from './entries.tsx';
import { accountCodesQuery } from './queries.ts';
import { parsePageSearch } from './search.ts';

const text = operatorText.account;

const route = getRouteApi('/inside/operator/accounts/$id');

/** Everything that an account has made, newest first. */
export function AccountCodes({ id }: { readonly id: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(accountCodesQuery(id, search));
  return (
    <Stack gap="sm" component="section" aria-label={text.codes}>
      <Title order={2}>{text.codes}</Title>
      <QueryView query={query} lines={4} height={96}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {text.noCodes}
            </Text>
          ) : (
            <>
              <Entries label={text.codesOfAccount}>
                {data.map(code => (
                  <CodeEntry key={code.id} code={code} />
                ))}
              </Entries>
              <Pager
                pages={pagination}
                what={text.codesPages}
                onChange={page => void navigate({ search: parsePageSearch({ page }) })}
              />
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}
