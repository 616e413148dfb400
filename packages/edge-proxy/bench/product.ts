/** The proxy as it is deployed, and a hotel of it, to be measured. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { toWorkerdConfig } from '../src/serve/workerd-config.ts';
import { type BenchRuntime, startRuntime } from './runtime.ts';

const PACKAGE = join(import.meta.dirname, '..');

/** A hotel's settings: the value of a `PROPERTY_<ID>`, before it becomes JSON. */
export function benchProperty(
  baseUrl: string,
  {
    key,
    scopes = ['checkout'],
    ...more
  }: { readonly key: string; readonly scopes?: readonly string[]; readonly gateway?: object },
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
    ...more,
  };
}

/** Starts the built bundle with these settings. */
export function startProxyRuntime(folder: string, env: Readonly<Record<string, string>>): Promise<BenchRuntime> {
  return startRuntime({
    folder,
    configuration: (paths) =>
      toWorkerdConfig({
        ...paths,
        assetsDir: join(PACKAGE, 'dist/assets'),
        names: Object.keys(env),
        allowsPrivateNetwork: true,
      }),
    env,
    bundle: join(PACKAGE, 'dist/bundle/worker.js'),
  });
}
