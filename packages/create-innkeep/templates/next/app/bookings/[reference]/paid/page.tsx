import { PaymentStatus } from '@innkeep/react';

export default async function PaidPage({ params }: { params: Promise<{ reference: string }> }) {
  return (
    <>
      <PaymentStatus />
      <a href={`/bookings/${(await params).reference}`}>Back to your booking</a>
    </>
  );
}
