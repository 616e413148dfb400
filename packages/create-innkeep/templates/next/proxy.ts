import { type NextRequest, NextResponse } from 'next/server';

// Next.js develops with code of its own in texts, and with styles in attributes.
const isDevelopment = process.env.NODE_ENV === 'development';
const SCRIPTS = `'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`;
const STYLES = `'self'${isDevelopment ? " 'unsafe-inline'" : ''}`;

// Only the site's own scripts run, and they talk to nobody but the site and the proxy of the payments.
export function proxy(request: NextRequest) {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${crypto.randomUUID()}' ${SCRIPTS}`,
    `style-src ${STYLES}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${process.env.INNKEEP_ENDPOINT}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  request.headers.set('content-security-policy', policy);
  return NextResponse.next({ request, headers: { 'content-security-policy': policy } });
}
