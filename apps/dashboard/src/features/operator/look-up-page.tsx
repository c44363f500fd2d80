import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CodeEntry } from './code-entry.tsx';
import { Entries } from './entries.tsx';
import { foundCodesQuery } from './queries.ts';
import { parseLookUpSearch } from './search.ts';

const route = getRouteApi('/inside/operator/look-up');
const mostFound = 50;

/** From a link in somebody's hand to the account that it belongs to. */
export function LookUpPage() {
  const { link = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Look up"
      description="Whose code is this? Find the account by a short link, or by where codes lead."
    >
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
  const [text, setText] = useState(link);
  function submit(event: FormEvent) {
    event.preventDefault();
    onChange(text);
  }
  return (
    <search>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Short code, short link or destination"
            description="A destination finds every code that leads to its host."
            placeholder="spring-menu, or https://evil.example/sign-in"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            maxLength={4096}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            style={{ flex: '1 1 18rem', maxWidth: 640 }}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            Look up
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
      {({ data }) =>
        data.length === 0 ? (
          <Panel>
            <Empty title="No code of this server">
              Nothing has this short code, and no code leads there. Check the link for a missing letter.
            </Empty>
          </Panel>
        ) : (
          <Stack gap="sm">
            <Text size="sm" c="dimmed" role="status" className="figures">
              {data.length === mostFound
                ? `The newest ${mostFound} codes`
                : `${formatNumber(data.length)} ${data.length === 1 ? 'code' : 'codes'}`}
            </Text>
            <Entries label="Codes that were found">
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
