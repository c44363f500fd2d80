import { Button, Menu, Paper, Stack, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Tag } from '@signpost/contract';
import { IconChartBar, IconPencil, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { commonText } from '../../strings/common.ts';
import { tagsText as text } from '../../strings/tags.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber } from '../../ui/format.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkAnchor, LinkButton } from '../../ui/router-link.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { openEditTag } from './edit-tag.tsx';
import { tagsQuery, useForgetTags } from './queries.ts';
import { TagChip } from './tag-chip.tsx';
import { foldTag } from './tag-name.ts';

/** An account may have ten thousand. */
const tagsPerPage = 50;
const searchFrom = 10;

/** The tags of the account: how many codes have each, and what can be done with it. */
export function TagsPage() {
  const query = useQuery(tagsQuery(useMode()));
  return (
    <Page title={text.title}>
      <QueryView query={query} lines={6} height={46}>
        {tags => (tags.length === 0 ? <NoTags /> : <Tags tags={tags} />)}
      </QueryView>
    </Page>
  );
}

function NoTags() {
  return (
    <Paper withBorder>
      <Empty title={text.empty.title} action={<LinkButton to="/codes">{text.empty.action}</LinkButton>}>
        {text.empty.body}
      </Empty>
    </Paper>
  );
}

function Tags({ tags }: { readonly tags: readonly Tag[] }) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const found = tags.filter(({ name }) => foldTag(name).includes(foldTag(search)));
  const pages = Math.max(1, Math.ceil(found.length / tagsPerPage));
  const current = Math.min(page, pages);
  const shown = found.slice((current - 1) * tagsPerPage, current * tagsPerPage);
  return (
    <Stack gap="md">
      {tags.length >= searchFrom && (
        <TextInput
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={event => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
          maw={360}
        />
      )}
      {shown.length === 0 ? (
        <Paper withBorder>
          <Empty
            title={text.noMatch}
            action={
              <Button variant="default" onClick={() => setSearch('')}>
                {text.showAll}
              </Button>
            }
          >
            {null}
          </Empty>
        </Paper>
      ) : (
        <Paper withBorder style={{ overflow: 'hidden' }}>
          <TagsTable shown={shown} all={tags} />
        </Paper>
      )}
      <Stack align="center">
        <Pager pages={{ page: current, total_pages: pages }} what={text.pages} onChange={setPage} />
      </Stack>
    </Stack>
  );
}

function TagsTable({ shown, all }: { readonly shown: readonly Tag[]; readonly all: readonly Tag[] }) {
  return (
    <Table aria-label={text.label} layout="fixed" horizontalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.columns.tag}</Table.Th>
          <Table.Th w={96} ta="right">
            {text.columns.codes}
          </Table.Th>
          <Table.Th w={140} visibleFrom="sm">
            {text.columns.scans}
          </Table.Th>
          <Table.Th w={56}>
            <VisuallyHidden>{text.columns.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map(tag => (
          <Table.Tr key={tag.name}>
            <Table.Td>
              <TagChip name={tag.name} color={tag.color} />
            </Table.Td>
            <Table.Td ta="right">
              <LinkAnchor
                to="/codes"
                search={{ tag: [tag.name] }}
                size="sm"
                aria-label={text.showCodes(tag.name, tag.qr_codes)}
              >
                {formatNumber(tag.qr_codes)}
              </LinkAnchor>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <LinkAnchor
                to="/analytics"
                search={{ tag: tag.name }}
                size="sm"
                aria-label={text.analyticsOf(tag.name)}
              >
                {text.analytics}
              </LinkAnchor>
            </Table.Td>
            <Table.Td ta="right">
              <TagMenu tag={tag} all={all} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const icon = { size: 16, 'aria-hidden': true } as const;

function TagMenu({ tag, all }: { readonly tag: Tag; readonly all: readonly Tag[] }) {
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const forget = useForgetTags();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('deleteTag', { params: { name: tag.name } }),
    onSuccess: async () => {
      notifyDone(text.deletion.done(tag.name));
      await forget();
    },
    onError: error => notifyProblem(error, text.deletion.failed),
  });
  const ask = () =>
    modals.openConfirmModal({
      title: text.deletion.title(tag.name),
      children: tag.qr_codes === 0 ? text.deletion.unused : text.deletion.body(tag.qr_codes),
      labels: { confirm: text.deletion.confirm, cancel: commonText.cancel },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <MoreMenu label={text.moreFor(tag.name)}>
      <Menu.Item
        hiddenFrom="sm"
        leftSection={<IconChartBar {...icon} />}
        onClick={() => void navigate({ to: '/analytics', search: { tag: tag.name } })}
      >
        {text.analytics}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPencil {...icon} />}
        disabled={isRefused}
        onClick={() => openEditTag({ tag, all })}
      >
        {text.edit}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
        leftSection={<IconTrash {...icon} />}
        disabled={isRefused || remove.isPending}
        onClick={ask}
      >
        {text.delete}
      </Menu.Item>
    </MoreMenu>
  );
}
