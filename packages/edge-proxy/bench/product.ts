/** The proxy as it is deployed, and a hotel of it, to be measured. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { modulesOf, toWorkerdConfig } from '../src/runtime/serve-workerd-config.ts';
import { type BenchRuntime, startRuntime } from './runtime.ts';

const PACKAGE = join(import.meta.dirname, '..');
const BUNDLE = join(PACKAGE, 'dist/bundle/worker.js');

/** The key of the server of one of many hotels. */
export function keyOf(hotel: number): string {
  return `sk_test_${String(hotel).padStart(40, 'k')}`;
}

/** A hotel's settings: the value of a `PROPERTY_<ID>`, before it becomes JSON. */
export function benchProperty(
  baseUrl: string,
  { key, scopes = ['checkout'] }: { readonly key: string; readonly scopes?: readonly string[] },
) {
  const sha256 = createHash('sha256').update(key).digest('hex');
  return {
    displayName: 'Bench',
    baseUrl,
    customerId: '1234',
    username: 'u',
    password: 'p',
    hotelID: '1',
    hotelIDType: 'T',
    user: 'web',
    timeZone: 'Europe/Vienna',
    amountUnit: 'minor',
    providerDirect: 'DIRECT',
    providerHosted: 'HOSTED',
    origins: ['http://127.0.0.1:4000'],
    merchantKeys: [{ id: 'b', sha256, scopes }],
  };
}

/** Starts the built bundle with these settings. */
export function startProxyRuntime(
  folder: string,
  env: Readonly<Record<string, string>>,
  { options = [] }: { readonly options?: readonly string[] } = {},
): Promise<BenchRuntime> {
  return startRuntime({
    folder,
    configuration: ({ port, storageDir }) =>
      toWorkerdConfig({
        port,
        storageDir,
        modules: modulesOf(BUNDLE, folder),
        assetsDir: join(PACKAGE, 'dist/assets'),
        names: Object.keys(env),
        allowsPrivateNetwork: true,
      }),
    env,
    options,
    bundle: BUNDLE,
  });
}
