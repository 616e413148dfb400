/** A hotel with an access token object that a test programs, for the calls that are made outside of every object. */
import { vi } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import type { TokenAnswer } from '../src/upstream/access-token-object.ts';
import type { AccessTokenBindings } from '../src/upstream/access-token-source.ts';
import type { HealthReport } from '../src/upstream/upstream-health.ts';
import { TEST_ENVIRONMENT } from './environment.ts';

let hotels = 0;

/** Aurora's settings under another id: what an isolate remembers of one hotel must not reach the next test. */
export function anotherHotel(changes: Partial<Property> = {}): Property {
  hotels += 1;
  return {
    ...(parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property),
    id: `hotel-${hotels}`,
    ...changes,
  };
}

/** A token that the fake payment service accepts. */
export function tokenAnswer(changes: Partial<TokenAnswer & { ok: true }> = {}): TokenAnswer {
  return { ok: true, token: 'token-1', expiresAt: Date.now() + 3_600_000, ...changes };
}

/** Stands for the object that keeps the access token. */
export function fakeTokenObject() {
  const object = {
    getToken: vi.fn(async (_property: string, _rejected: string | null) => tokenAnswer()),
    reportHealth: vi.fn(async (_report: HealthReport) => true),
    noteReturnCode: vi.fn(async (_property: string, _returnCode: string) => undefined),
  };
  const getByName = vi.fn((_name: string) => object);
  return { ...object, getByName, bindings: { ACCESS_TOKENS: { getByName } } as unknown as AccessTokenBindings };
}

/** Takes every timer: time limits are reached when the test says so. */
export function heldTimers(): { reach(limitMs: number): void } {
  const timers: { readonly run: () => void; readonly ms: number | undefined }[] = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    timers.push({ run, ms });
    return 0;
  }) as unknown as typeof setTimeout);
  return {
    reach(limitMs) {
      const timer = timers.find(({ ms }) => ms === limitMs);
      if (timer === undefined) throw new Error(`no time limit of ${limitMs} ms was set`);
      timer.run();
    },
  };
}

/** Stands for the object that keeps the access token, and gives it once this time limit is reached. */
export function lateTokenObject(limitMs: number): ReturnType<typeof fakeTokenObject> {
  const tokenObject = fakeTokenObject();
  const timers = heldTimers();
  tokenObject.getToken.mockImplementation(async () => {
    timers.reach(limitMs);
    return tokenAnswer();
  });
  return tokenObject;
}
