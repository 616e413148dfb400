// Prevents: a deployment and a test of it that start the three Workers of the demo with different settings.
import { join } from 'node:path';
import { type DemoSecrets, demoProperty } from './demo-property.ts';
import { ROOT } from './launch.ts';

/** Where each of the three is reached, without a trailing slash. */
export interface DemoAddresses {
  readonly hotel: string;
  readonly proxy: string;
  readonly sandbox: string;
}

/** One Worker of the demo and what it is deployed with. */
export interface DemoWorker {
  readonly id: keyof DemoAddresses;
  /** Its name at Cloudflare. */
  readonly name: string;
  /** Where it is reached, without a trailing slash. */
  readonly address: string;
  /** Absolute path of its source. */
  readonly sourceFile: string;
  /** Absolute path of its wrangler configuration. */
  readonly configFile: string;
  /** Absolute path of the folder of its built bundle. */
  readonly bundleDir: string;
  /** Another wrangler configuration, all of whose bindings this Worker needs, too. */
  readonly standsFor?: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const APP = join(ROOT, 'apps/demo');

/** The names at Cloudflare; the first part of each one's workers.dev address. */
export const WORKER_NAMES: Readonly<Record<keyof DemoAddresses, string>> = {
  hotel: 'innkeep-demo',
  proxy: 'innkeep-demo-proxy',
  sandbox: 'innkeep-demo-sandbox',
};

/** Addresses on the workers.dev subdomain of an account. */
export function workersDevAddresses(subdomain: string): DemoAddresses {
  const address = (id: keyof DemoAddresses): string => `https://${WORKER_NAMES[id]}.${subdomain}.workers.dev`;
  return { hotel: address('hotel'), proxy: address('proxy'), sandbox: address('sandbox') };
}

/** The three Workers, in the order in which they must be deployed: the others are bound to the hotel. */
export function demoWorkers(addresses: DemoAddresses, secrets: DemoSecrets): readonly DemoWorker[] {
  const { hotel, proxy, sandbox } = addresses;
  const property = demoProperty({ secrets, demoUrl: hotel, upstreamUrl: sandbox });
  return [
    worker('hotel', {
      address: hotel,
      vars: { PUBLIC_URL: hotel, PROXY_URL: proxy, SANDBOX_URL: sandbox },
      secrets: {
        MERCHANT_KEY: secrets.merchantKey,
        MOTO_KEY: secrets.motoKey,
        WEBHOOK_SECRET: secrets.webhookSecret,
      },
    }),
    worker('sandbox', {
      address: sandbox,
      vars: {},
      secrets: {
        SANDBOX_USERNAME: secrets.username,
        SANDBOX_PASSWORD: secrets.password,
        SANDBOX_API_KEY: secrets.apiKey,
      },
    }),
    worker('proxy', {
      address: proxy,
      standsFor: join(ROOT, 'packages/edge-proxy/wrangler.moto.jsonc'),
      vars: { PUBLIC_URL: proxy },
      secrets: { PROPERTY_AURORA: JSON.stringify(property) },
    }),
  ];
}

function worker(
  id: keyof DemoAddresses,
  settings: Pick<DemoWorker, 'address' | 'standsFor' | 'vars' | 'secrets'>,
): DemoWorker {
  return {
    id,
    name: WORKER_NAMES[id],
    sourceFile: join(APP, 'workers', id, 'worker.ts'),
    configFile: join(APP, 'workers', id, 'wrangler.jsonc'),
    bundleDir: join(APP, 'dist/workers', id),
    ...settings,
  };
}
