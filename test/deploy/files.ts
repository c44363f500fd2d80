import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export const root = resolve(import.meta.dirname, '../..');
export const deploy = join(root, 'deploy');

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly container_name?: string;
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly user?: string;
  readonly mem_limit?: string;
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  /** A service with a profile is not started by `up`. */
  readonly profiles?: readonly string[];
};

export type Compose = {
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

export const composeFiles = ['compose.yaml', 'compose.cluster.yaml'] as const;

export const readDeploy = (file: string) => readFileSync(join(deploy, file), 'utf8');

export const readCompose = (file: string) => parse(readDeploy(file), { merge: true }) as Compose;

/** Our services, without the engines. */
export const oursOf = ({ services }: Compose) =>
  Object.entries(services).filter(([, service]) =>
    /^(\$\{SIGNPOST_IMAGE\b.*\}|registry\.example\.com\/signpost):/.test(service.image),
  );
