/** What one attempt of a call says about another. */
import { type ExchangeResult, isSuccess } from '../transport/exchange.ts';
import { parseObject } from '../values/answers.ts';

export type Reply = Extract<ExchangeResult, { kind: 'reply' }>;

/** Whether the same call may succeed a moment later. With the same key, "still in progress" is an invitation to ask again. */
export function mayPass(result: ExchangeResult): boolean {
  if (result.kind !== 'reply') return result.kind !== 'too_large';
  const { status, bytes } = result;
  if (isSuccess(status)) return false;
  return status >= 500 || status === 429 || parseObject(bytes)?.code === 'idempotency_in_progress';
}

/** Whether what was asked for may have been done although the attempt failed. */
export function isDoubtful(result: ExchangeResult): boolean {
  return result.kind !== 'not_sent' && mayPass(result) && !isRefusedUnread(result);
}

/** Whether the proxy refused a call before it looked up its key: then the refusal says nothing about an earlier attempt. */
export function isRefusedUnread(result: ExchangeResult): result is Reply {
  if (result.kind !== 'reply') return false;
  const { code, param } = parseObject(result.bytes) ?? {};
  const isAboutCaller = [401, 403, 429, 503].includes(result.status) || param === 'Innkeep-Property';
  return isAboutCaller && typeof code === 'string' && code !== 'limit_reached';
}
