import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { maxFoundCodes, maxLookUpLength } from '@signpost/contract/values.ts';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CodeEntry } from './code-entry.tsx';
import { DomainEntry } from './domain-entry.tsx';
import { Entries } from './entries.tsx';
import { foundCodesQuery } from './queries.ts';
import { parseLookUpSearch } from './search.ts';

const text = operatorText.lookUp;

const route = getRouteApi('/inside/operator/look-up');

/** From a link in somebody's hand to the account that it belongs to. */
export function LookUpPage() {
  const { link = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={text.title}>
      <LookUpForm
        key={link}
        link={link}
        onChange={next => void navigate({ search: parseLookUpSearch({ link: next }) })}
      />
      {link && <Found link={link} />}
    </Page>
  );
}

type FormProps = { readonly link: string; readonly onChange: (link: string) => void };

function LookUpForm({ link, onChange }: FormProps) {
  const [typed, setTyped] = useState(link);
  function submit(event: FormEvent) {
    event.preventDefault();
    onChange(typed);
  }
  return (
    <search>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-end">
          <TextInput
            label={text.label}
            description={text.hint}
            placeholder={text.placeholder}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            maxLength={maxLookUpLength}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            style={{ flex: '1 1 18rem', maxWidth: 640 }}
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            {text.action}
          </Button>
        </Group>
      </form>
    </search>
  );
}

function Found({ link }: { readonly link: string }) {
  const query = useQuery(foundCodesQuery(link));
  return (
    <QueryView query={query} lines={3} height={120}>
      {({ data, domains }) =>
        data.length + domains.length === 0 ? (
          <Panel>
            <Empty title={text.emptyTitle}>{text.emptyText}</Empty>
          </Panel>
        ) : (
          <Stack gap="sm">
            {domains.length > 0 && (
              <Entries label={text.domains}>
                {domains.map(domain => (
                  <DomainEntry key={domain.host} domain={domain} />
                ))}
              </Entries>
            )}
            <Text size="sm" c="dimmed" role="status" className="figures">
              {data.length === maxFoundCodes ? text.newest(maxFoundCodes) : operatorText.codes(data.length)}
            </Text>
            <Entries label={text.found}>
              {data.map(code => (
                <CodeEntry key={code.id} code={code} withAccount />
              ))}
            </Entries>
          </Stack>
        )
      }
    </QueryView>
  );
}
