/**
 * The demo hotel as a Worker. The documentation goes out from here; everything else happens in one Durable Object,
 * because bookings and the record of requests belong together and a Worker has no memory of its own.
 */
import { DurableObject } from 'cloudflare:workers';
import { createMerchantClient } from '@innkeep/core/merchant';
import type { Hono } from 'hono';
import { createDemo } from '../../src/app.ts';
import { sqliteBookingStorage } from '../../src/booking/sqlite-booking-storage.ts';
import { HotelClock } from '../../src/clock.ts';
import { fileRoutes } from '../../src/files/file-routes.ts';
import type { Exchange } from '../../src/wire-panel/exchange.ts';
import { ExchangeLog } from '../../src/wire-panel/exchange-log.ts';
import { sandboxControl } from '../../src/wire-panel/sandbox-control.ts';
import type { WirePanelObject } from '../record-remotely.ts';

// How far the hotel's clock is ahead of the real one, in milliseconds.
const CLOCK_KEY = 'clock-offset';

interface HotelBindings {
  /** The folder `dist/workers/site`. */
  readonly ASSETS: Fetcher;
  readonly HOTEL: DurableObjectNamespace<DemoHotelObject>;
  /** Where guests reach this Worker, without a trailing slash. */
  readonly PUBLIC_URL: string;
  /** Where pages and this Worker reach the proxy. */
  readonly PROXY_URL: string;
  /** Where the sandbox shows its own records. */
  readonly SANDBOX_URL: string;
  readonly MERCHANT_KEY: string;
  /** Has the scope `moto` and no other. */
  readonly MOTO_KEY: string;
  /** `whsec_…`, what the proxy signs its webhooks with. */
  readonly WEBHOOK_SECRET: string;
}

/** The hotel's server with its bookings, and the record of all requests. There is one. */
export class DemoHotelObject extends DurableObject<HotelBindings> implements WirePanelObject {
  readonly #log = new ExchangeLog();
  readonly #app: Hono;

  constructor(state: DurableObjectState, env: HotelBindings) {
    super(state, env);
    const endpoint = env.PROXY_URL;
    const { kv, sql } = state.storage;
    const clock = new HotelClock({ offsetMs: kv.get<number>(CLOCK_KEY) ?? 0 });
    this.#app = createDemo({
      publicUrl: env.PUBLIC_URL,
      proxyUrl: env.PROXY_URL,
      merchant: {
        ...createMerchantClient({ endpoint, secretKey: env.MERCHANT_KEY }),
        cards: createMerchantClient({ endpoint, secretKey: env.MOTO_KEY }).cards,
      },
      webhookSecret: env.WEBHOOK_SECRET,
      portalUrl: `${env.SANDBOX_URL}/__sandbox/ledger`,
      files: (request) => env.ASSETS.fetch(request),
      bookingStorage: sqliteBookingStorage(sql),
      now: () => clock.now(),
      wirePanel: {
        log: this.#log,
        secrets: [env.MERCHANT_KEY, env.MOTO_KEY, env.WEBHOOK_SECRET],
        record: (exchange) => this.#log.add(exchange),
        control: sandboxControl(env.SANDBOX_URL),
        clock: {
          now: () => clock.now(),
          advance: (ms) => {
            clock.advance(ms);
            kv.put(CLOCK_KEY, clock.offsetMs);
          },
        },
        inBackground: (work) => state.waitUntil(work),
      },
    });
  }

  override async fetch(request: Request): Promise<Response> {
    return this.#app.fetch(request);
  }

  /** Called by the other two Workers. */
  async record(exchange: Exchange): Promise<void> {
    this.#log.add(exchange);
  }
}

const sites = new WeakMap<HotelBindings, Hono>();

const worker: ExportedHandler<HotelBindings> = {
  async fetch(request, env) {
    if (!/^\/docs(?:\/|$)/.test(new URL(request.url).pathname)) return env.HOTEL.getByName('hotel').fetch(request);
    let site = sites.get(env);
    if (site === undefined) {
      site = fileRoutes({ files: (asked) => env.ASSETS.fetch(asked), proxyUrl: env.PROXY_URL });
      sites.set(env, site);
    }
    return site.fetch(request);
  },
};
export default worker;
