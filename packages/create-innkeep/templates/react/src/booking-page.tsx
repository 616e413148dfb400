import { PaymentStatus, PayWidget } from '@innkeep/react';
import { useEffect, useState } from 'react';
import { type Checkout, isReturn, openCheckout, reference } from './checkout';

export function BookingPage() {
  if (!isReturn) return <Pay />;
  return (
    <>
      <PaymentStatus />
      <a href={`/bookings/${reference}`}>Back to your booking</a>
    </>
  );
}

function Pay() {
  const [checkout, setCheckout] = useState<Checkout>();
  const [hasFailed, setHasFailed] = useState(false);

  // Strict mode runs this twice. Both calls get the same session.
  useEffect(() => {
    openCheckout().then(setCheckout, () => setHasFailed(true));
  }, []);

  if (hasFailed) return <p role="alert">The payment cannot be started. Please load the page again.</p>;
  if (!checkout) return <p>Loading …</p>;
  return <PayWidget endpoint={checkout.endpoint} clientSecret={checkout.clientSecret} />;
}
