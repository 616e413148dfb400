import type { Context } from './context.ts';

/** Address of an operation: `{base_url}/V2/<customer_id>/<operation>`, or without `V2`. */
export function operationUrl(
  { baseUrl, customerId }: Context,
  operation: string,
  { query, version = 'V2' }: { query?: Record<string, string>; version?: 'V2' | 'none' } = {},
): string {
  const path = [version === 'V2' ? '/V2' : '', `/${encodeURIComponent(customerId)}/`, operation].join('');
  return `${baseUrl}${path}${query === undefined ? '' : `?${new URLSearchParams(query)}`}`;
}
