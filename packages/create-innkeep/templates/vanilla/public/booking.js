// The booking page, and the page that guests come back to.
const [, reference = 'RES-1234', isReturn] = /^\/bookings\/([\w-]+)(\/paid)?/.exec(location.pathname) ?? [];
const main = document.getElementById('booking');

if (isReturn) {
  const back = document.createElement('a');
  back.href = `/bookings/${reference}`;
  back.textContent = 'Back to your booking';
  // Waits for the outcome and shows the receipt.
  main.append(document.createElement('payment-status'), back);
} else {
  try {
    const response = await fetch(`/api/bookings/${reference}/checkout`, { method: 'POST' });
    if (!response.ok) throw new Error(`The server answered ${response.status}`);
    const { endpoint, clientSecret } = await response.json();
    const widget = document.createElement('pay-widget');
    widget.setAttribute('endpoint', endpoint);
    widget.setAttribute('client-secret', clientSecret);
    main.append(widget);
  } catch (error) {
    console.error(error);
    main.textContent = 'The payment cannot be started. Please load the page again.';
  }
}
