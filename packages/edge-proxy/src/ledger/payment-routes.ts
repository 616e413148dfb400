/** `/v1/payments`: a hotel’s payments as its staff read them, by the days of the hotel. */
import { ListPaymentsSchema, type PaymentPage } from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { describe } from '../http/describe.ts';
import { fromBase64Url, toBase64Url } from '../http/encoding.ts';
import { ProblemError, unwrap } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { query } from '../http/validate.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerObject } from './ledger-object.ts';
import { type LedgerDependencies, rememberResource } from './lists.ts';
import { rangeOf } from './payment-range.ts';
import { readSearch } from './payment-search.ts';
import type { PaymentPlace } from './payment-table.ts';

type PaymentContext = MerchantContext<LedgerDependencies>;

/** A longer range has no totals: they read every payment in it. */
const MAX_TOTALS_DAYS = 31;
const MAX_HITS = 50;

export const payments = merchantApp<LedgerDependencies>({ tag: 'Payments' })
  .use('/:id/*', rememberResource)
  .get('/', describe({ id: 'listPayments', scopes: ['read'], desk: 'read' }), query(ListPaymentsSchema), async (c) => {
    const asked = c.req.valid('query');
    return json(c, await (asked.q === undefined ? readPage(c, asked) : readHits(c, asked.q, asked)));
  })
  .get('/:id', describe({ id: 'retrievePayment', scopes: ['read'], desk: 'read' }), async (c) =>
    json(c, unwrap<object>(await ledgerOf(c).payment(c.req.param('id')))),
  );

type Asked = InferOutput<typeof ListPaymentsSchema>;

async function readPage(c: PaymentContext, asked: Asked): Promise<PaymentPage> {
  const { status = null, kind = null, limit, cursor } = asked;
  const place = cursor === undefined ? null : parseCursor(cursor);
  const { days, from, to, length } = rangeOf(c, asked, place?.at);
  const withTotals = place === null && length <= MAX_TOTALS_DAYS;
  const { livemode } = c.get('property');
  const page = await ledgerOf(c).payments({ from, to, status, kind, cursor: place, limit, withTotals, livemode });
  const { data, totals, position, next } = page;
  return { object: 'list', data, nextCursor: next && toCursor(next), totals, position, days };
}

async function readHits(c: PaymentContext, q: string, { q: _, limit, ...others }: Asked): Promise<PaymentPage> {
  const [other] = Object.keys(others);
  if (other !== undefined) refuse('Must not be combined with "q"', other);
  const { days } = rangeOf(c, {});
  const most = c.req.query('limit') === undefined ? MAX_HITS : Math.min(limit, MAX_HITS);
  const { data, position } = await ledgerOf(c).searchPayments(readSearch(q), most, c.get('property').livemode);
  return { object: 'list', data, nextCursor: null, totals: null, position, days };
}

function ledgerOf(c: PaymentContext): DurableObjectStub<LedgerObject> {
  return c.get('dependencies').ledger(c.get('property').id);
}

function toCursor({ at, id, attempt }: PaymentPlace): string {
  return toBase64Url(new TextEncoder().encode(`p${at}:${id}:${attempt}`));
}

function parseCursor(cursor: string): PaymentPlace {
  const [, at, id, attempt] = PLACE.exec(textOf(cursor)) ?? [];
  if (id === undefined) refuse('Not a cursor of this list', 'cursor');
  return { at: Number(at), id, attempt: Number(attempt) };
}

const PLACE = /^p(\d{1,15}):([a-z]{2}_[0-9A-Z]{26}):(\d{1,2})$/;

function textOf(cursor: string): string {
  try {
    return new TextDecoder().decode(fromBase64Url(cursor));
  } catch {
    return '';
  }
}

function refuse(detail: string, param: string): never {
  throw new ProblemError('invalid_request', { detail, param });
}
