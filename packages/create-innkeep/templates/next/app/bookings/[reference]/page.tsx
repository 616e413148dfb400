import { PayWidget } from '@innkeep/react';
import { notFound } from 'next/navigation';
import { checkoutOf } from '../../../payments.js';

// For every request anew: a client secret belongs to one guest and into no cache.
export const dynamic = 'force-dynamic';

export default async function BookingPage({ params }: { params: Promise<{ reference: string }> }) {
  const checkout = await checkoutOf((await params).reference);
  if (!checkout) notFound();
  return <PayWidget endpoint={checkout.endpoint} clientSecret={checkout.clientSecret} />;
}
