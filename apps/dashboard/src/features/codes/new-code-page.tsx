import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Wait } from '../../ui/wait.tsx';
import { designsQuery } from '../designs/queries.ts';
import { domainsQuery } from '../domains/queries.ts';
import { defaultDomain } from '../domains/short-base.ts';
import { NewCodeForm } from './new-code-form.tsx';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/new');

/** An empty form, or one that is filled in with another code. */
export function NewCodePage() {
  const { from } = route.useSearch();
  return <Page title={codesText.newCode}>{from ? <CopyOf id={from} key={from} /> : <EmptyForm />}</Page>;
}

/** How long the form waits for the default design and the domains. */
const patienceMs = 1500;

/** In the default design, on the default domain. Where they are not loaded at once, a plain code can still be made. */
function EmptyForm() {
  const designs = useQuery(designsQuery(useMode()));
  const domains = useFormDomains();
  const isLate = useIsLate();
  if (!isLate && (isAwaited(designs) || isAwaited(domains))) return <Wait />;
  const style = designs.data?.find(design => design.is_default)?.style ?? {};
  const found = domains.data ?? [];
  return (
    <NewCodeForm
      initial={{
        name: '',
        destination_url: '',
        domain: defaultDomain(found),
        short_code: '',
        style,
        tags: [],
      }}
      domains={found}
    />
  );
}

/** On the domain of the code that is copied, if it is still connected. */
function CopyOf({ id }: { readonly id: string }) {
  const mode = useMode();
  const query = useQuery(codeQuery(mode, id));
  const domains = useFormDomains();
  const isLate = useIsLate();
  if (!isLate && isAwaited(domains)) return <Wait />;
  const found = domains.data ?? [];
  return (
    <QueryView query={query}>
      {({ name, destination_url, domain, style, tags }) => (
        <NewCodeForm
          initial={{
            name: codesText.form.copyOf(name).slice(0, 255),
            destination_url,
            domain:
              found.find(({ host, status }) => status === 'active' && host === domain)?.host ??
              (domain === null ? '' : defaultDomain(found)),
            short_code: '',
            style,
            tags,
          }}
          domains={found}
        />
      )}
    </QueryView>
  );
}

/** Test codes are on no domain. */
const useFormDomains = () => useQuery({ ...domainsQuery, enabled: useMode() === 'live' });

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

const isAwaited = ({ data, isFetching, failureCount }: UseQueryResult): boolean =>
  data === undefined && isFetching && failureCount === 0;
