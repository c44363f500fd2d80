import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Wait } from '../../ui/wait.tsx';
import { designsQuery } from '../designs/queries.ts';
import { NewCodeForm } from './new-code-form.tsx';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/new');

/** An empty form, or one that is filled in with another code. */
export function NewCodePage() {
  const { from } = route.useSearch();
  return <Page title={codesText.newCode}>{from ? <CopyOf id={from} key={from} /> : <EmptyForm />}</Page>;
}

/** How long the form waits for the default design. */
const patienceMs = 1500;

/** In the default design. Where designs are not loaded at once, a plain code can still be made. */
function EmptyForm() {
  const { data, isFetching, failureCount } = useQuery(designsQuery(useMode()));
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (data === undefined && isFetching && failureCount === 0 && !isLate) return <Wait />;
  const style = data?.find(design => design.is_default)?.style ?? {};
  return <NewCodeForm initial={{ name: '', destination_url: '', short_code: '', style, tags: [] }} />;
}

function CopyOf({ id }: { readonly id: string }) {
  const mode = useMode();
  const query = useQuery(codeQuery(mode, id));
  return (
    <QueryView query={query}>
      {({ name, destination_url, style, tags }) => (
        <NewCodeForm
          initial={{
            name: codesText.form.copyOf(name).slice(0, 255),
            destination_url,
            short_code: '',
            style,
            tags,
          }}
        />
      )}
    </QueryView>
  );
}
